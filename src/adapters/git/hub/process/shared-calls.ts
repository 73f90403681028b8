/** Runs one call per key at a time. Whoever asks meanwhile gets the result of the running one. */
export function createSharedCalls<Value>() {
  const running = new Map<string, Promise<Value>>()
  return (key: string, call: () => Promise<Value>): Promise<Value> => {
    const known = running.get(key)
    if (known !== undefined) return known
    const started = call().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
