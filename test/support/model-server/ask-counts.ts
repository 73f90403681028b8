/** How often a step was asked for by now, this time included, and when that began. */
export type AskCount = { readonly asked: number; readonly firstAt: number }

const MOST = 1000

/** The one thing the server remembers: without it no step could fail at first and then not. */
export class AskCounts {
  readonly #counts = new Map<string, AskCount>()

  ask(key: string): AskCount {
    const before = this.#counts.get(key) ?? { asked: 0, firstAt: Date.now() }
    const count = { ...before, asked: before.asked + 1 }
    if (this.#counts.size >= MOST) this.#counts.clear()
    this.#counts.set(key, count)
    return count
  }
}
