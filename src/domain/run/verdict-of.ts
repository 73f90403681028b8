import { VERDICTS } from '../playbook/output-format.ts'
import { readVerdict } from '../review/read-verdict.ts'
import type { Verdict } from '../review/verdict.ts'

/** What a reviewer decided in a visit that ended like this; undefined if the visit was no review. */
export function verdictOf(outcome: string | undefined, answer: unknown): Verdict | undefined {
  if (!VERDICTS.some((verdict) => verdict === outcome)) return undefined
  const read = readVerdict(answer, Number.POSITIVE_INFINITY)
  return read.ok ? read.value : undefined
}
