export type Turns = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>

/** Runs work with the same key one after the other. Different keys don't wait for each other. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    // A failure of the work before is reported to its own caller.
    const mine = before.then(work, work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
