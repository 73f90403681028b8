export type Turns = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>

/** Work of the same key waits for the work before it; other keys do not. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    // The one before has told its own caller how it ended.
    const mine = before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
