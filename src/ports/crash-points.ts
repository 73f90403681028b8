/** The named moments at which a crash of the process must lose nothing; a test crashes at each of them. */
export const CRASH_POINTS = [
  'attempt-start.after-tree',
  'attempt-start.after-spawn',
  'session-tail.before-commit',
  'session-end.before-commit',
  'attempt-settle.after-collect',
  'attempt-settle.before-commit',
  'attempt-settle.after-commit',
  'review.before-ask',
  'review.before-verdict',
  'landing.after-merge',
  'landing.after-checks',
  'landing.after-ref',
  'landing.before-verdict',
  'landing.before-question',
  'baseline.before-verdict',
  'baseline.before-decision',
  'merge.after-delivery',
  'run.before-route',
  'run.after-visit',
  'run.before-gate',
  'cycle-update.after-commit',
  'cycle-update.after-delivery',
  'job-start.before-commit',
  'job-advance.before-commit',
  'admission.before-wake',
  'conversation.before-input',
  'conversation.before-reaction',
  'conversation.before-decision',
  'conversation.after-exit-request',
  'conversation.before-wake',
  'conversation.before-next-process',
  'handoff.before-successor',
  'job-delete.before-rows',
  'job-delete.after-rows',
  'job-delete.after-refs',
  'job-delete.after-files',
  'restore.before-move',
  'restore.after-move',
  'restore.before-fill',
  'restore.after-fill',
  'restore.before-end',
  'restore.before-put-back',
  'restore.after-put-back',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]

/** Contract: does nothing unless a test requested a crash at this point; then it doesn't return. */
export interface CrashPoints {
  reach(point: CrashPoint): void
}
