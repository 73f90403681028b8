import type { WorkType } from '../../../ports/work-queue.ts'

/** Quick decisions must not wait behind slow acts such as a large checkout, nor a stop behind anything. */
export const LANES = { decide: 3, act: 4, stop: 2, tidy: 1 } as const

export type Lane = keyof typeof LANES

export const LANE_OF: Record<WorkType, Lane> = {
  'job-advance': 'decide',
  'admission-wake': 'decide',
  'attempt-settle': 'act',
  'attempt-clear': 'tidy',
  'landing-advance': 'act',
  'base-follow': 'act',
  'session-stop': 'stop',
  'session-resume': 'act',
  'session-start': 'act',
  'session-clear': 'tidy',
  'approval-expire': 'decide',
  'cycle-update': 'act',
  'job-deliver': 'act',
  'trees-warm': 'tidy',
}
