import { setTimeout as sleep } from 'node:timers/promises'

type WaitOptions<Found> = {
  readonly timeoutMs: number
  readonly intervalMs: number
  readonly look: () => Promise<Found | undefined>
}

/** Looks again and again until there is something to find or the time is up. */
export async function waitUntil<Found>(options: WaitOptions<Found>): Promise<Found | undefined> {
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const found = await options.look()
    if (found !== undefined) return found
    const left = deadline - performance.now()
    if (left <= 0) return undefined
    await sleep(Math.min(options.intervalMs, left))
  }
}
