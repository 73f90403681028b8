import type { SessionId, StreamId } from '../../domain/id.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { MessageNeeds } from './message-needs.ts'

/** The longest wait, and a signal that ends it sooner. */
export type Patience = { readonly waitMs: number; readonly signal?: AbortSignal | undefined }

/** Who waits, and the stream that grows with every message for that session. */
export type Waiter = { readonly sessionId: SessionId; readonly stream: StreamId }

/** The pause before the stream's growth leads to another look, because a busy job's stream grows all the time. */
const PAUSE_MS = 200

type WakeUps = { isCalled: boolean; hasGrown: boolean; onWake: () => void }

/**
 * Calls `inspect` now, at once whenever somebody sends this session a message, and some time after the stream has grown,
 * until it returns something or the wait is over. Growth covers messages that were stored without a call.
 */
export async function waitFor<Value>(
  needs: Pick<MessageNeeds, 'feed' | 'waitingReaders'>,
  { sessionId, stream }: Waiter,
  patience: Patience,
  inspect: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const wakeUps: WakeUps = { isCalled: false, hasGrown: false, onWake: () => undefined }
  using _calls = needs.waitingReaders.subscribe(sessionId, () => {
    wakeUps.isCalled = true
    wakeUps.onWake()
  })
  using _growth = needs.feed.subscribe(stream, () => {
    wakeUps.hasGrown = true
    wakeUps.onWake()
  })
  const timeout = AbortSignal.timeout(Math.min(patience.waitMs, MESSAGE_LIMITS.waitSeconds * 1_000))
  const over = patience.signal === undefined ? timeout : AbortSignal.any([patience.signal, timeout])
  for (;;) {
    wakeUps.isCalled = false
    wakeUps.hasGrown = false
    const found = await inspect()
    if (found !== undefined || over.aborted) return found
    await reasonToLook(wakeUps, over)
  }
}

function reasonToLook(wakeUps: WakeUps, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let isPaused = true
    const consider = () => {
      const isDue = wakeUps.isCalled || over.aborted || (wakeUps.hasGrown && !isPaused)
      if (!isDue) return
      clearTimeout(pause)
      over.removeEventListener('abort', consider)
      resolve()
    }
    const pause = setTimeout(() => {
      isPaused = false
      consider()
    }, PAUSE_MS)
    wakeUps.onWake = consider
    over.addEventListener('abort', consider)
    consider()
  })
}
