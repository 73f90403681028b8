import type { EdgeFailure, RequestIssue } from './api-failure.ts'
import type { WordTable } from './failure-words.ts'

export const edgeWords: WordTable<EdgeFailure> = {
  unauthorized: () => ({
    message: 'The daemon does not accept this token, or none was sent.',
    next: "Use the token file in the daemon's home directory: muster --token-file <file> status",
  }),
  'forbidden-host': () => ({
    message: 'The request names a host that the daemon does not serve.',
    next: 'Use the address that `muster doctor` shows, with 127.0.0.1 or localhost and its port.',
  }),
  'forbidden-origin': () => ({ message: "The request comes from a page that is not the daemon's own." }),
  'not-json': () => ({ message: 'Bodies must be sent as application/json.' }),
  'body-too-large': ({ limit }) => ({ message: `The body is larger than ${limit} bytes.` }),
  'bad-request': ({ issues }) => ({ message: `The request is not valid: ${wordsOfIssues(issues)}.` }),
  'not-found': ({ what, id }) => ({
    message: `There is no ${what} ${id}.`,
    next:
      what === 'route'
        ? 'See what there is: GET /api/openapi.json'
        : `See what there is: muster list ${what}s`,
  }),
  'store-unavailable': ({ problem }) => ({
    message: `The database cannot be reached: ${problem}.`,
    next: 'Nothing is lost; try again in a moment. If it stays: muster doctor',
  }),
  'not-ready': ({ problem }) => ({
    message: `The daemon is not ready: ${problem}.`,
    next: 'Try again in a moment. If it stays: muster doctor',
  }),
  internal: () => ({
    message: 'Something went wrong inside the daemon; its log has the details.',
    next: 'muster doctor',
  }),
}

function wordsOfIssues(issues: readonly RequestIssue[]): string {
  return issues.map(({ field, problem }) => `${field === '' ? 'body' : field}: ${problem}`).join('; ')
}
