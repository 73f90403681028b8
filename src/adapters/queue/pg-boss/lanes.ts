import type { WorkType } from '../../../ports/work-queue.ts'

/**
 * How many pieces of work are handed over at once in each lane; the queue hands out as many again. Quick decisions must
 * not wait for slow work such as a large checkout, and a stop must not wait for anything.
 */
const STORED_LANES = { decide: 3, act: 4, stop: 2, tidy: 1 } as const

/** Work in the lane `warm` has no stored copy: nothing depends on it, and the reconciler sends it again. */
export const LANES = { ...STORED_LANES, warm: 1 } as const

export type StoredLane = keyof typeof STORED_LANES
export type Lane = keyof typeof LANES

export function isStored(lane: Lane): lane is StoredLane {
  return lane in STORED_LANES
}

export const LANE_OF: Record<WorkType, Lane> = {
  'job-advance': 'decide',
  'admission-wake': 'decide',
  'attempt-settle': 'act',
  'attempt-clear': 'tidy',
  'landing-advance': 'act',
  'base-follow': 'act',
  'baseline-advance': 'act',
  'run-advance': 'decide',
  'visit-advance': 'act',
  'session-stop': 'stop',
  'session-give-up': 'stop',
  'session-resume': 'act',
  'session-start': 'act',
  'session-clear': 'tidy',
  'approval-expire': 'decide',
  'message-expire': 'decide',
  'cycle-update': 'act',
  'job-deliver': 'act',
  'deletion-finish': 'tidy',
  'trees-warm': 'warm',
}
