import type { LandingMove } from './store-landing.ts'

/** What becomes of a landing, and of its task, when the job ends before it could come in. */
export function abandonedMove(reason: string): LandingMove {
  return {
    event: { type: 'landing-reject', reason },
    notice: { type: 'landing_rejected', data: { reason } },
    task: () => ({
      event: { type: 'task-skip', reason },
      notice: { type: 'task_failed', data: { status: 'skipped', error: reason } },
    }),
  }
}
