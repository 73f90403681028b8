/** How often a step has been requested, including this time, and when it was first requested. */
export type AskCount = { readonly asked: number; readonly firstAt: number }

const MOST = 1000

/** The only state of the server. It is needed for steps that fail at first and then succeed. */
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
