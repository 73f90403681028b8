import type { ApiError } from '../client/index.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Problem } from './problem.ts'

/** Turns a failed call into the command's problem. */
export function apiProblem(error: ApiError): Problem {
  return {
    type: error.type,
    exitCode: exitCodeOf(error),
    message: error.message,
    ...(error.next === undefined ? {} : { next: error.next }),
  }
}

function exitCodeOf({ status, type }: ApiError): ExitCode {
  // The daemon answered; it is an agent program that is missing.
  if (type === 'provider-unavailable' || type === 'program-missing' || type === 'agent-unready')
    return EXIT.failed
  // A setting of the repository is the problem, not the person's permissions.
  if (type === 'configuration-untrusted') return EXIT.usage
  if (status === 0 || status === 503) return EXIT.unreachable
  if (status === 401 || status === 403 || status === 421) return EXIT.notPermitted
  if (status === 409) return EXIT.conflict
  if (status >= 400 && status < 500) return EXIT.usage
  return EXIT.failed
}
