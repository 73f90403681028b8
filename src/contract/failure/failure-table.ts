import type { FailureBody } from '../envelope.ts'
import type { ApiFailure } from './api-failure.ts'
import { approvalFailures } from './approval-failures.ts'
import { cleanupFailures } from './cleanup-failures.ts'
import { edgeFailures } from './edge-failures.ts'
import { baseFailures, controlFailures, evidenceFailures } from './job-failures.ts'
import { playbookFailures } from './playbook-failures.ts'
import { recordsFailures } from './records-failures.ts'
import type { FailureDescription, FailureStatus, FailureTable } from './refusal.ts'
import { repositoryFailures } from './repository-failures.ts'
import { runFailures } from './run-failures.ts'
import { sessionFailures } from './session-failures.ts'
import { startFailures } from './start-failures.ts'

/** The HTTP status and the text of every failure. Each file holds those of its group. */
const failures: FailureTable<ApiFailure> = {
  ...edgeFailures,
  ...startFailures,
  ...controlFailures,
  ...baseFailures,
  ...sessionFailures,
  ...approvalFailures,
  ...evidenceFailures,
  ...repositoryFailures,
  ...recordsFailures,
  ...playbookFailures,
  ...runFailures,
  ...cleanupFailures,
}

/** Explains a failure to a person: what happened and why, and what to try next. */
export function describeFailure(failure: ApiFailure): FailureDescription {
  // Each entry takes exactly the member of its type, but the compiler cannot follow that through the index.
  const describe = failures[failure.type].describe as (failed: ApiFailure) => FailureDescription
  return describe(failure)
}

export function statusOf(failure: ApiFailure): FailureStatus {
  return failures[failure.type].status
}

/** The response body for a failure: the message for people, and the details for programs. */
export function failureBody(failure: ApiFailure): FailureBody {
  const { message, next } = describeFailure(failure)
  const { type, ...details } = failure
  const hasDetails = Object.keys(details).length > 0
  return {
    success: false,
    error: { type, message, ...(next === undefined ? {} : { next }), ...(hasDetails ? { details } : {}) },
  }
}
