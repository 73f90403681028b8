import type { ApiError } from '../client/index.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Problem } from './problem.ts'

/** What the daemon refused, as the command's own problem. */
export function apiProblem(error: ApiError): Problem {
  return {
    type: error.type,
    exitCode: exitCodeOf(error),
    message: error.message,
    ...(error.next === undefined ? {} : { next: error.next }),
  }
}

function exitCodeOf({ status, type }: ApiError): ExitCode {
  // The daemon is there; a program on its machine is not.
  if (type === 'provider-unavailable') return EXIT.failed
  if (status === 0 || status === 503) return EXIT.unreachable
  if (status === 401 || status === 403 || status === 421) return EXIT.notPermitted
  if (status === 409) return EXIT.conflict
  if (status >= 400 && status < 500) return EXIT.usage
  return EXIT.failed
}
