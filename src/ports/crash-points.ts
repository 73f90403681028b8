/** The named moments at which a death of the process must lose nothing; each has a test that dies there. */
export const CRASH_POINTS = [
  'attempt-start.after-tree',
  'attempt-start.after-spawn',
  'session-tail.before-commit',
  'session-end.before-commit',
  'attempt-settle.after-collect',
  'attempt-settle.before-commit',
  'review.before-ask',
  'review.before-verdict',
  'landing.after-merge',
  'landing.after-checks',
  'landing.after-ref',
  'landing.before-verdict',
  'landing.before-question',
  'merge.after-delivery',
  'cycle-update.after-commit',
  'cycle-update.after-delivery',
  'job-advance.before-commit',
  'admission.before-wake',
  'talk.before-words',
  'talk.before-consequence',
  'talk.before-decision',
  'talk.after-farewell',
  'talk.before-wake',
  'talk.before-next-life',
  'talk.before-heir',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]

/** Contract: does nothing unless a test asked for a death at this point; then it does not return. */
export interface CrashPoints {
  reach(point: CrashPoint): void
}
