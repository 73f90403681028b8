import { setTimeout as sleep } from 'node:timers/promises'

type WaitOptions<Found> = {
  readonly timeoutMs: number
  readonly intervalMs: number
  readonly inspect: () => Promise<Found | undefined>
}

/** Calls `inspect` again and again until it returns something or the time is up. */
export async function waitUntil<Found>(options: WaitOptions<Found>): Promise<Found | undefined> {
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const found = await options.inspect()
    if (found !== undefined) return found
    const left = deadline - performance.now()
    if (left <= 0) return undefined
    await sleep(Math.min(options.intervalMs, left))
  }
}
