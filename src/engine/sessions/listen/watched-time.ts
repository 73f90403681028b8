const STEP_MS = 5_000

export type WatchedTime = Disposable & { sumMs(): number }

/**
 * Adds up the time since its creation in which this process was awake. Counts in steps: a process that was stopped, or
 * a machine that slept, takes one step too long and loses the rest.
 */
export function createWatchedTime(): WatchedTime {
  let sumMs = 0
  let since = performance.now()
  const sinceStep = () => Math.min(performance.now() - since, STEP_MS)
  const timer = setInterval(() => {
    sumMs += sinceStep()
    since = performance.now()
  }, STEP_MS).unref()
  return { sumMs: () => sumMs + sinceStep(), [Symbol.dispose]: () => clearInterval(timer) }
}
