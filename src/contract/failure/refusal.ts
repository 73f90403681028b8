/** What happened and why, and what to try next. */
export type FailureDescription = { readonly message: string; readonly next?: string }

export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 422 | 500 | 503 | 507

type Refusal<Failure> = {
  readonly status: FailureStatus
  readonly describe: (failure: Failure) => FailureDescription
}

/** Status and description for every member of a failure union; a missing member is a type error. */
export type FailureTable<Failure extends { readonly type: string }> = {
  readonly [Type in Failure['type']]: Refusal<Extract<Failure, { readonly type: Type }>>
}

export function refusal<Failure>(
  status: FailureStatus,
  describe: (failure: Failure) => FailureDescription,
): Refusal<Failure> {
  return { status, describe }
}
