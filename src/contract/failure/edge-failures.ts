import type { EdgeFailure, RequestIssue } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

export const edgeFailures: FailureTable<EdgeFailure> = {
  unauthorized: refusal(401, () => ({
    message: 'The token is missing, or the daemon does not accept it.',
    next: "Use the token file in the daemon's home directory: muster --token-file <file> status",
  })),
  'forbidden-host': refusal(421, () => ({
    message: 'The daemon does not serve the host named in this request.',
    next: 'Use the address that `muster doctor` shows, with 127.0.0.1 or localhost and its port.',
  })),
  'forbidden-origin': refusal(403, () => ({
    message: 'The request comes from a web page that does not belong to the daemon.',
  })),
  'not-json': refusal(415, () => ({ message: 'Send the body as application/json.' })),
  'body-too-large': refusal(413, ({ limit }) => ({
    message: `The body exceeds the limit of ${limit} bytes.`,
  })),
  'bad-request': refusal(400, ({ issues }) => ({
    message: `Invalid request: ${joinIssues(issues)}.`,
  })),
  'not-found': refusal(404, ({ what, id, jobId }) => ({
    message: `There is no ${what} ${id}${jobId === undefined ? '' : ` in ${jobId}`}.`,
    next: whereToLook(what, jobId),
  })),
  'store-unavailable': refusal(503, ({ problem }) => ({
    message: `Cannot reach the database: ${problem}.`,
    next: 'Nothing was lost; try again in a moment. If the problem persists: muster doctor',
  })),
  'not-ready': refusal(503, ({ problem }) => ({
    message: `The daemon is not ready: ${problem}.`,
    next: 'Try again in a moment. If the problem persists: muster doctor',
  })),
  'too-many-connections': refusal(503, ({ holder }) => ({
    message:
      holder === 'agent'
        ? 'Too many connections are open, from this agent or from all agents together.'
        : 'Too many event streams and terminals are open.',
    next:
      holder === 'agent' ? 'Close some of them and try again.' : 'Close some of them, then: muster status',
  })),
  internal: refusal(500, () => ({
    message: 'Internal error. The details are in the daemon log.',
    next: 'muster doctor',
  })),
}

/** The command that lists what there is; only some nouns have a list of their own. */
function whereToLook(what: string, jobId: string | undefined): string {
  switch (what) {
    case 'route':
      return 'To see all routes: GET /api/openapi.json'
    case 'cycle':
      // Each task's name begins with its cycle.
      return jobId === undefined ? 'muster list tasks' : `muster list tasks --job ${jobId}`
    case 'approval':
    case 'candidate':
      return 'muster approvals'
    case 'terminal':
      return 'muster list sessions'
    case 'message':
      return 'muster messages --all'
    case 'skill':
      return 'muster agent skill'
    default:
      return `muster list ${what}s`
  }
}

function joinIssues(issues: readonly RequestIssue[]): string {
  return issues.map(({ field, problem }) => `${field === '' ? 'body' : field}: ${problem}`).join('; ')
}
