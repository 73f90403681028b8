import type { SessionEnd } from '../session/session-state.ts'

/**
 * How a check fell short. With exit codes alone, this is all that can be compared with another failure. `setup`: a
 * setup command failed, so nothing could be checked. `altered`: it changed tracked files.
 */
export type FailureKind = 'setup' | 'exited' | 'signalled' | 'timed-out' | 'altered'

/** Why a check has not passed. */
export type CheckProblem = {
  /** How the command failed; absent if it ended without a result for the tree. */
  readonly kind?: FailureKind
  /** For people, with the end of the output. */
  readonly text: string
}

/** How a check failed that ended in this way; undefined if it has no result for the tree. */
export function failureKindOf({ type }: SessionEnd): FailureKind | undefined {
  if (type === 'unprepared') return 'setup'
  return type === 'exited' || type === 'signalled' || type === 'timed-out' ? type : undefined
}
