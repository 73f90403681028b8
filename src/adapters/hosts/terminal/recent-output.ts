/** The last bytes of an output, never more than its limit. */
export class RecentOutput {
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes.length > this.#limit ? bytes.slice(-this.#limit) : bytes)
    this.#size += this.#chunks.at(-1)?.length ?? 0
    while (this.#size > this.#limit) this.#size -= this.#chunks.shift()?.length ?? 0
  }

  /** Everything kept, which is then kept no more. */
  take(): Uint8Array {
    const all = this.peek()
    this.#chunks = []
    this.#size = 0
    return all
  }

  peek(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
