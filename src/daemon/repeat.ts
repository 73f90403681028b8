import type { Log } from '../ports/log.ts'

export type Repeating = AsyncDisposable & {
  /** Runs again at once, or right after the current run. */
  soon(): void
}

/** Runs something periodically, never concurrently. Errors are logged, and the next run comes anyway. */
export function repeat(log: Log, name: string, everyMs: number, run: () => Promise<void>): Repeating {
  let running: Promise<void> | undefined
  let isRequested = false
  const start = () => {
    if (running !== undefined) return
    isRequested = false
    running = run()
      .catch((error: unknown) => log.warn({ error: String(error) }, `${name} failed`))
      .finally(() => {
        running = undefined
        if (isRequested) start()
      })
  }
  const timer = setInterval(start, everyMs).unref()
  return {
    soon() {
      isRequested = true
      start()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      isRequested = false
      await running
    },
  }
}
