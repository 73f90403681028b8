import type { EdgeFailure, RequestIssue } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

export const edgeFailures: FailureTable<EdgeFailure> = {
  unauthorized: refusal(401, () => ({
    message: 'The daemon does not accept this token, or none was sent.',
    next: "Use the token file in the daemon's home directory: muster --token-file <file> status",
  })),
  'forbidden-host': refusal(421, () => ({
    message: 'The request names a host that the daemon does not serve.',
    next: 'Use the address that `muster doctor` shows, with 127.0.0.1 or localhost and its port.',
  })),
  'forbidden-origin': refusal(403, () => ({
    message: "The request comes from a page that is not the daemon's own.",
  })),
  'not-json': refusal(415, () => ({ message: 'Bodies must be sent as application/json.' })),
  'body-too-large': refusal(413, ({ limit }) => ({ message: `The body is larger than ${limit} bytes.` })),
  'bad-request': refusal(400, ({ issues }) => ({
    message: `The request is not valid: ${wordsOfIssues(issues)}.`,
  })),
  'not-found': refusal(404, ({ what, id }) => ({
    message: `There is no ${what} ${id}.`,
    next:
      what === 'route'
        ? 'See what there is: GET /api/openapi.json'
        : `See what there is: muster list ${what}s`,
  })),
  'store-unavailable': refusal(503, ({ problem }) => ({
    message: `The database cannot be reached: ${problem}.`,
    next: 'Nothing is lost; try again in a moment. If it stays: muster doctor',
  })),
  'not-ready': refusal(503, ({ problem }) => ({
    message: `The daemon is not ready: ${problem}.`,
    next: 'Try again in a moment. If it stays: muster doctor',
  })),
  internal: refusal(500, () => ({
    message: 'Something went wrong inside the daemon; its log has the details.',
    next: 'muster doctor',
  })),
}

function wordsOfIssues(issues: readonly RequestIssue[]): string {
  return issues.map(({ field, problem }) => `${field === '' ? 'body' : field}: ${problem}`).join('; ')
}
