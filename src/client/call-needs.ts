export type Fetch = typeof globalThis.fetch

/** What every call to the daemon is made with. */
export type CallNeeds = {
  /** Origin of the daemon, without a slash at its end. */
  readonly url: string
  readonly token: string
  readonly fetch: Fetch
}

export type CallOptions = { readonly signal?: AbortSignal | undefined }
