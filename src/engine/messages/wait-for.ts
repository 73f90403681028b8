import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamId } from '../../domain/id.ts'
import type { MessageNeeds } from './message-needs.ts'

/** How long to wait, at most, and what ends it sooner. */
export type Patience = { readonly waitMs: number; readonly signal?: AbortSignal | undefined }

/** A busy job wakes its watchers all the time; looking this often is often enough. */
const REST_MS = 200
/** Clients give up after a minute: the answer that there is none yet must reach them before. */
const MOST_MS = 50_000

/** Looks, and looks again whenever the stream has grown, until there is something or patience is at its end. */
export async function waitFor<Value>(
  needs: Pick<MessageNeeds, 'feed'>,
  stream: StreamId,
  patience: Patience,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  let wake = () => {}
  let isAwake = false
  using _subscription = needs.feed.subscribe(stream, () => {
    isAwake = true
    wake()
  })
  const timeout = AbortSignal.timeout(Math.min(patience.waitMs, MOST_MS))
  const over = patience.signal === undefined ? timeout : AbortSignal.any([patience.signal, timeout])
  for (;;) {
    isAwake = false
    const found = await look()
    if (found !== undefined || over.aborted) return found
    await rest(over)
    if (isAwake || over.aborted) continue
    await new Promise<void>((resolve) => {
      wake = resolve
      over.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

async function rest(over: AbortSignal): Promise<void> {
  // An end of the wait is the wished-for outcome, not a failure of it.
  await sleep(REST_MS, undefined, { signal: over }).catch(() => undefined)
}
