import type { FailureBody } from '../envelope.ts'
import type { ApiFailure } from './api-failure.ts'
import { describeFailure } from './failure-table.ts'

/** A failure as it goes over the wire: its words, and its data for programs. */
export function failureBody(failure: ApiFailure): FailureBody {
  const { message, next } = describeFailure(failure)
  const { type, ...details } = failure
  const hasDetails = Object.keys(details).length > 0
  return {
    success: false,
    error: { type, message, ...(next === undefined ? {} : { next }), ...(hasDetails ? { details } : {}) },
  }
}
