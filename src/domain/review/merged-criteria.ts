import type { CriterionResult } from '../task/criterion-result.ts'

/** A reviewer's word on a criterion replaces the worker's; where the reviewer said nothing, the claim stays one. */
export function mergedCriteria(
  claimed: readonly CriterionResult[],
  reviewed: readonly CriterionResult[],
): readonly CriterionResult[] {
  const byNumber = new Map([...claimed, ...reviewed].map((criterion) => [criterion.number, criterion]))
  return [...byNumber.values()].sort((one, other) => one.number - other.number)
}
