/** What has been opened so far and must be closed in reverse; one part that fails to close stops no other. */
export class ClosingStack {
  readonly #closers: (() => unknown)[] = []

  defer(close: () => unknown): void {
    this.#closers.push(close)
  }

  async close(onError: (error: unknown) => void = () => undefined): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close()
      } catch (error) {
        onError(error)
      }
    }
  }
}
