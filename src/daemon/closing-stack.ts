/** Everything opened so far, to be closed in reverse order. A part that fails to close doesn't stop the others. */
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
