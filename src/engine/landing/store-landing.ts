import type { NewEvent } from '../../domain/event/job-event.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { type LandingEvent, nextLandingState } from '../../domain/landing/next-landing-state.ts'
import { nextTaskState, type TaskEvent } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { LandingNeeds } from './landing-needs.ts'

export type LandingMove = {
  readonly event: LandingEvent
  readonly checks?: Landing['checks']
  readonly notice: Pick<NewEvent, 'type' | 'data'>
  readonly follow?: readonly Work[]
  /** What the move means for the task, when the landing is over by it. */
  readonly task?: { readonly event: TaskEvent; readonly notice: Pick<NewEvent, 'type' | 'data'> }
  /** Further rows of the same transaction. */
  readonly also?: (records: Records) => Promise<void>
}

/**
 * Stores one move of a landing, under the job's lock; false when the landing had moved on meanwhile. A move
 * that depends on what the lock protects is decided under it.
 */
export async function storeLanding(
  needs: LandingNeeds,
  landing: Landing,
  decide: LandingMove | ((job: Job) => Promise<LandingMove>),
): Promise<boolean> {
  const stored = await needs.store.withJob(landing.jobId, async (records, job) => {
    const current = await records.landings.find(landing.id)
    if (current === undefined || current.version !== landing.version) return false
    const move = typeof decide === 'function' ? await decide(job) : decide
    return await storeMove(needs, records, current, move)
  })
  return stored ?? false
}

async function storeMove(
  needs: LandingNeeds,
  records: Records,
  landing: Landing,
  move: LandingMove,
): Promise<boolean> {
  const state = nextLandingState(landing.state, move.event)
  if (!state.ok) return false
  const task = await records.tasks.find(landing.taskId)
  await records.landings.save(
    {
      ...landing,
      state: state.value,
      checks: move.checks ?? landing.checks,
      ...(move.task === undefined ? {} : { endedAt: needs.clock.now() }),
    },
    {
      audit: { actor: 'engine', action: move.event.type, subject: landing.id, detail: {} },
      events: [noticeOf(landing, task, move.notice)],
      follow: move.follow ?? [],
    },
  )
  if (move.task !== undefined && task !== undefined) await storeTask(needs, records, landing, task, move.task)
  await move.also?.(records)
  return true
}

async function storeTask(
  needs: LandingNeeds,
  records: Records,
  landing: Landing,
  task: Task,
  move: NonNullable<LandingMove['task']>,
): Promise<void> {
  const state = nextTaskState(task.state, move.event)
  if (!state.ok) return
  const failed = state.value.type === 'failed' || state.value.type === 'blocked'
  const now = needs.clock.now()
  await records.tasks.save(
    {
      ...task,
      state: state.value,
      completedAt: now,
      ...(failed && 'reason' in state.value ? { lastFailure: state.value.reason } : {}),
    },
    {
      audit: { actor: 'engine', action: move.event.type, subject: task.id, detail: {} },
      events: [noticeOf(landing, task, move.notice)],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}

function noticeOf(
  landing: Landing,
  task: Task | undefined,
  notice: Pick<NewEvent, 'type' | 'data'>,
): NewEvent {
  return {
    type: notice.type,
    jobId: landing.jobId,
    ...(task === undefined ? {} : { cycle: task.cycleNumber }),
    taskId: landing.taskId,
    attemptId: landing.attemptId,
    data: { number: task?.number, landingId: landing.id, ...notice.data },
  }
}
