import { LANDING_LIMITS } from '../limits/landing-limits.ts'
import type { SessionEnd } from '../session/session-state.ts'
import type { CheckProgress } from './check-progress.ts'

const FIRST_PAUSE_MS = 2_000

export type CheckRetry =
  /** It may have failed by chance. If it passes the second time, it is flaky. */
  | { readonly why: 'failed'; readonly pauseMs: 0 }
  /** It ended without a result for the tree. */
  | { readonly why: 'lost'; readonly pauseMs: number }

/**
 * Whether, and after which pause, a check that did not pass runs again. One that failed gets a second chance; one that
 * hung or was stopped gets none. One that ended without a result for the tree runs again, after longer and longer
 * pauses, because the obstacle may go away.
 */
export function retryCheck(progress: CheckProgress, end: SessionEnd): CheckRetry | undefined {
  const limit = lossesAllowed(end)
  if (limit === undefined) {
    // A signal may come from outside, such as from a machine that is short of memory.
    const hasFailed = (end.type === 'exited' && end.code !== 0) || end.type === 'signalled'
    const isFirst = !progress.suspects.includes(progress.checkIndex)
    return hasFailed && isFirst ? { why: 'failed', pauseMs: 0 } : undefined
  }
  if (progress.lost + 1 >= limit) return undefined
  return { why: 'lost', pauseMs: Math.min(LANDING_LIMITS.checkPauseMs, FIRST_PAUSE_MS * 2 ** progress.lost) }
}

function lossesAllowed({ type }: SessionEnd): number | undefined {
  if (type === 'lost' || type === 'unprepared') return LANDING_LIMITS.lostChecks
  return type === 'unstarted' ? LANDING_LIMITS.unstartedChecks : undefined
}
