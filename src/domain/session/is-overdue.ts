import { DAEMON_PERIODS } from '../limits/daemon-periods.ts'

/** How long a program has run, as far as anyone counted. */
export type TimeRun = {
  /** Counted by its host. Undefined if the host hasn't counted yet or can't. */
  readonly hostMs: number | undefined
  /** The host's count when this daemon adopted the session, and the time that the daemon was awake since. */
  readonly watchedMs: number
}

/** A host may count more slowly than the daemon, because it was stopped for a while, but not forever. */
const MOST_PATIENCE = 2

/**
 * Whether a running program has used up its time. The host's count decides, because the machine, the host or the
 * daemon may have slept. The host counts in steps, so within a step the daemon's count decides. If the host hardly
 * counts at all, somebody may have stopped it, and the daemon's count is the last resort.
 */
export function isOverdue(limitMs: number, { hostMs, watchedMs }: TimeRun): boolean {
  if (hostMs === undefined) return watchedMs >= limitMs
  if (hostMs >= limitMs || watchedMs >= MOST_PATIENCE * limitMs) return true
  return watchedMs >= limitMs && hostMs + stepAfter(hostMs) >= limitMs
}

/** A host's first looks come after 1, 3, 7 and 15 seconds. */
function stepAfter(hostMs: number): number {
  return Math.min(DAEMON_PERIODS.hostLookMs, hostMs + 1_000)
}
