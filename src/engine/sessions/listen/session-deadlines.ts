import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import { isOverdue } from '../../../domain/session/is-overdue.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { HostId } from '../../../ports/session-host.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { requestStop } from '../end/stop-session.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import { createWatchedTime } from './watched-time.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'log' | 'settings' | 'assignments'>

export type DeadlineOptions = {
  readonly isReady: () => boolean
  /** Setup commands that run before the program starts. */
  readonly setup: readonly string[]
  /** Whether everything that was printed before a moment of `performance.now()` has been read and reacted to. */
  readonly hasCaughtUp: (since: number) => boolean
  /** Reads what there is to read, and notices an exit. */
  readonly wake: () => void
  /** Sends the input that waits in the store. */
  readonly send: () => void
}

type Limit = { readonly ms: number; readonly isMet: () => boolean; readonly isDeadline?: true }

/** How long to wait before looking again at a program that hasn't run as long as this daemon has watched it. */
const LOOK_AGAIN_MS = 1_000
/** The longest delay that setTimeout takes. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Stops a session that exceeds its time limit, or whose program doesn't report that it's ready. A program waiting for
 * a log-in on a screen no one sees would otherwise wait forever.
 *
 * A deadline is a reminder to look, not a verdict: only a program that is still running, whose output has been read,
 * and that has run for that long by its host's count is stopped. One that has ended, ended as it did.
 */
export function armDeadlines(needs: Needs, session: Session, options: DeadlineOptions): Disposable {
  const watched = createWatchedTime()
  const hostId = hostOf(session)
  const timers = new Set<NodeJS.Timeout>()
  let isDisposed = false
  let base: Promise<number> | undefined
  /** What the host had counted when this daemon began to watch. */
  const countBefore = () => {
    base ??= needs.host.ranMs(hostId).then((ms) => ms ?? 0)
    return base
  }

  const isSettled = (limit: Limit) => isDisposed || limit.isMet()

  const later = (limit: Limit, afterMs: number, dueSince?: number) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        look(limit, dueSince).catch((error: unknown) => {
          needs.log.warn({ sessionId: session.id, error: String(error) }, 'deadline not recorded yet')
          base = undefined
          later(limit, SESSION_LIMITS.watchRetryMs)
        })
      },
      Math.min(afterMs, LONGEST_MS),
    ).unref()
    timers.add(timer)
    if (isDisposed) clearTimeout(timer)
  }
  const look = async (limit: Limit, dueSince = performance.now()): Promise<void> => {
    const watchedMs = (await countBefore()) + watched.sumMs()
    if (isSettled(limit)) return
    if (watchedMs < limit.ms) return later(limit, limit.ms - watchedMs)
    if (!options.hasCaughtUp(dueSince)) {
      options.wake()
      return later(limit, SESSION_LIMITS.watchRetryMs, dueSince)
    }
    const isOver = await hasRunFor(needs, hostId, limit.ms, watchedMs)
    if (isSettled(limit)) return
    if (isOver) await endOrNudge(limit)
    else later(limit, LOOK_AGAIN_MS)
  }

  const endOrNudge = async (limit: Limit): Promise<void> => {
    const moreMs = limit.isDeadline === true ? await planOf(session).nudge?.(needs) : undefined
    if (moreMs === undefined) {
      await requestStop(needs, session.id, { type: 'timed-out', afterMs: limit.ms })
      return
    }
    options.send()
    later({ ...limit, ms: limit.ms + moreMs }, moreMs)
  }

  for (const limit of limitsOf(needs, session, options)) later(limit, 0)
  return {
    [Symbol.dispose]() {
      isDisposed = true
      for (const timer of timers) clearTimeout(timer)
      watched[Symbol.dispose]()
    },
  }
}

/** False for a program that has ended: whoever reads its output records how. */
async function hasRunFor(
  { host }: Pick<Needs, 'host'>,
  hostId: HostId,
  limitMs: number,
  watchedMs: number,
): Promise<boolean> {
  const hostMs = await host.ranMs(hostId)
  const snapshot = await host.inspect(hostId)
  return snapshot.type === 'running' && isOverdue(limitMs, { hostMs, watchedMs })
}

function limitsOf(
  { settings }: Needs,
  { startedAt, createdAt, deadline, conversation }: Session,
  { isReady, setup }: DeadlineOptions,
): readonly Limit[] {
  const limits: Limit[] = []
  if (deadline !== undefined) {
    limits.push({
      ms: deadline.getTime() - (startedAt ?? createdAt).getTime(),
      isMet: () => false,
      isDeadline: true,
    })
  }
  if (conversation.dialogue !== undefined && !isReady()) {
    limits.push({ ms: setup.length * settings.setupMs + settings.readyMs, isMet: isReady })
  }
  return limits
}
