/** A provider cannot do what was asked of it; the daemon is well. Answered as 503. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly providerName: string

  constructor(providerName: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.providerName = providerName
  }
}
