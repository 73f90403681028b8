import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamId } from '../../domain/id.ts'
import type { MessageNeeds } from './message-needs.ts'

/** The longest wait, and a signal that ends it sooner. */
export type Patience = { readonly waitMs: number; readonly signal?: AbortSignal | undefined }

/** The pause between two looks, because a busy job wakes its watchers all the time. */
const REST_MS = 200
/** Clients give up after a minute, so they must get "no answer yet" before that. */
const MOST_MS = 50_000

/** Calls `inspect` now and whenever the stream has grown, until it returns something or the wait is over. */
export async function waitFor<Value>(
  needs: Pick<MessageNeeds, 'feed'>,
  stream: StreamId,
  patience: Patience,
  inspect: () => Promise<Value | undefined>,
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
    const found = await inspect()
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
  // Being aborted is an expected end of the wait.
  await sleep(REST_MS, undefined, { signal: over }).catch(() => undefined)
}
