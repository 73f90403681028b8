import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { requestStop } from '../end/stop-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'log' | 'settings'>

const RETRY_MS = 500
/** The longest that a timer can be set for; nothing runs for so long without being adopted anew. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Stops a session that runs beyond its time, or whose program does not say in its protocol that it is ready: one
 * that waits for a log-in on a screen nobody sees would else wait for ever.
 */
export function armDeadlines(
  needs: Needs,
  session: Session,
  options: {
    readonly isReady: () => boolean
    /** What is done in its tree before its program starts. */
    readonly setup: readonly string[]
  },
): Disposable {
  const { isReady, setup } = options
  const startedAt = (session.startedAt ?? session.createdAt).getTime()
  const timers = new Set<NodeJS.Timeout>()
  const stopAt = (at: number, isDue: () => boolean) => {
    const stop = () => {
      if (!isDue()) return
      requestStop(needs, session.id, { type: 'timed-out', afterMs: at - startedAt }).catch(
        (error: unknown) => {
          needs.log.warn({ sessionId: session.id, error: String(error) }, 'deadline not recorded yet')
          timers.add(setTimeout(stop, RETRY_MS).unref())
        },
      )
    }
    const leftMs = at - needs.clock.now().getTime()
    timers.add(setTimeout(stop, Math.min(Math.max(leftMs, 0), LONGEST_MS)).unref())
  }
  if (session.deadline !== undefined) stopAt(session.deadline.getTime(), () => true)
  if (session.talk.dialogue !== undefined && !isReady()) {
    const { readyMs, setupMs } = needs.settings
    stopAt(startedAt + setup.length * setupMs + readyMs, () => !isReady())
  }
  return {
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
