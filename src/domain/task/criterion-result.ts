/** Whether one of a task's success criteria is met, according to whom, and the evidence. */
export type CriterionResult = {
  /** The number of the criterion, from 1. */
  readonly number: number
  readonly isMet: boolean
  readonly evidence: string
  readonly by: 'worker' | 'reviewer'
}

/** A reviewer's result for a criterion replaces the worker's claim; without one, the claim stands as a claim. */
export function mergedCriteria(
  claimed: readonly CriterionResult[],
  reviewed: readonly CriterionResult[],
): readonly CriterionResult[] {
  const byNumber = new Map([...claimed, ...reviewed].map((criterion) => [criterion.number, criterion]))
  return [...byNumber.values()].sort((one, other) => one.number - other.number)
}
