import type { ApiFailure } from './api-failure.ts'
import { approvalFailures } from './approval-failures.ts'
import { controlFailures } from './control-failures.ts'
import { edgeFailures } from './edge-failures.ts'
import { evidenceFailures } from './evidence-failures.ts'
import type { FailureStatus, FailureTable, FailureWords } from './refusal.ts'
import { repositoryFailures } from './repository-failures.ts'
import { sessionFailures } from './session-failures.ts'
import { startFailures } from './start-failures.ts'

const failures: FailureTable<ApiFailure> = {
  ...edgeFailures,
  ...startFailures,
  ...controlFailures,
  ...sessionFailures,
  ...approvalFailures,
  ...evidenceFailures,
  ...repositoryFailures,
}

/** A failure in words for a person: what happened, why, and what to try next. */
export function describeFailure(failure: ApiFailure): FailureWords {
  // The table maps each type to a function of that very member, which the compiler cannot follow by index.
  const words = failures[failure.type].words as (failed: ApiFailure) => FailureWords
  return words(failure)
}

export function statusOf(failure: ApiFailure): FailureStatus {
  return failures[failure.type].status
}
