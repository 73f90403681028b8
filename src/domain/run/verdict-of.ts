import { readVerdict } from '../review/read-verdict.ts'
import { isVerdict, type Verdict } from '../review/verdict.ts'

/** What a reviewer decided in a visit that ended like this; undefined if the visit was no review. */
export function verdictOf(outcome: string | undefined, answer: unknown): Verdict | undefined {
  if (!isVerdict(outcome)) return undefined
  const read = readVerdict(answer, Number.POSITIVE_INFINITY)
  return read.ok ? read.value : undefined
}
