import type { Log } from '../ports/log.ts'

/** Runs something now and then, never twice at once; what it throws is logged and the next run comes anyway. */
export function repeat(log: Log, name: string, everyMs: number, run: () => Promise<void>): AsyncDisposable {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= run()
      .catch((error: unknown) => log.warn({ error: String(error) }, `${name} failed`))
      .finally(() => {
        running = undefined
      })
  }, everyMs).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
