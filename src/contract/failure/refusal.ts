/** A failure for a person: what happened and why, and the next command to try. */
export type FailureWords = { readonly message: string; readonly next?: string }

export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 500 | 503 | 507

type Refusal<Failure> = {
  readonly status: FailureStatus
  readonly words: (failure: Failure) => FailureWords
}

/** Status and words of every member of a failure union; a forgotten member is a type error. */
export type FailureTable<Failure extends { readonly type: string }> = {
  readonly [Type in Failure['type']]: Refusal<Extract<Failure, { readonly type: Type }>>
}

export function refusal<Failure>(
  status: FailureStatus,
  words: (failure: Failure) => FailureWords,
): Refusal<Failure> {
  return { status, words }
}
