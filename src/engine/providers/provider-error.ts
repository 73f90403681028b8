/** A provider can't do what was asked, though the daemon is fine. The API answers 503. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly providerName: string

  constructor(providerName: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.providerName = providerName
  }
}
