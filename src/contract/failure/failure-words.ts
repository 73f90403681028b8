/** A failure for a person: what happened and why, and the next command to try. */
export type FailureWords = { readonly message: string; readonly next?: string }

/** Words for every member of a failure union; a forgotten member is a type error. */
export type WordTable<Failure extends { readonly type: string }> = {
  readonly [Type in Failure['type']]: (failure: Extract<Failure, { readonly type: Type }>) => FailureWords
}
