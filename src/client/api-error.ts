/**
 * What came back instead of an answer. `type` is the failure's, or one of the client's own two: `unreachable`
 * (status 0: no daemon answered) and `bad-answer` (something answered that does not speak this contract).
 */
export type ApiError = {
  readonly status: number
  readonly type: string
  readonly message: string
  readonly next?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export function unreachableError(url: string, problem: string): ApiError {
  return {
    status: 0,
    type: 'unreachable',
    message: `No daemon answers at ${url}: ${problem}`,
    next: 'muster doctor',
  }
}

export function badAnswerError(status: number, problem: string): ApiError {
  return {
    status,
    type: 'bad-answer',
    message: `The answer is not one of a Muster daemon of this version: ${problem}`,
    next: 'Stop the daemon so that one of this version starts: muster shutdown',
  }
}
