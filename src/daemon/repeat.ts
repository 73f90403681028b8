import type { Log } from '../ports/log.ts'

export type Repeating = AsyncDisposable & {
  /** Runs once more at once, or right after the run that is under way. */
  soon(): void
}

/** Runs something now and then, never twice at once; what it throws is logged and the next run comes anyway. */
export function repeat(log: Log, name: string, everyMs: number, run: () => Promise<void>): Repeating {
  let running: Promise<void> | undefined
  let isWanted = false
  const start = () => {
    if (running !== undefined) return
    isWanted = false
    running = run()
      .catch((error: unknown) => log.warn({ error: String(error) }, `${name} failed`))
      .finally(() => {
        running = undefined
        if (isWanted) start()
      })
  }
  const timer = setInterval(start, everyMs).unref()
  return {
    soon() {
      isWanted = true
      start()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      isWanted = false
      await running
    },
  }
}
