import type { Visit } from './visit.ts'
import { checkAnswerOf } from './visit-answer.ts'

/** The branch of a fan-out that came closest: the most checks passed, then the smaller change, then the first. */
export function bestBranch(entry: readonly Visit[]): Visit | undefined {
  const [best] = entry.toSorted((one, two) => {
    const [first, second] = [checkAnswerOf(one.answer), checkAnswerOf(two.answer)]
    return second.passed - first.passed || first.changedLines - second.changedLines
  })
  return best
}
