import type { NewEvent } from '../../../domain/event/event.ts'
import type { LandingId } from '../../../domain/id.ts'
import { isLandingFinished, type Landing } from '../../../domain/landing/landing.ts'
import { type LandingEvent, nextLandingState } from '../../../domain/landing/next-landing-state.ts'
import { nextTaskState, type TaskEvent } from '../../../domain/task/next-task-state.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { LandingNeeds } from '../landing-needs.ts'

export type LandingMove = {
  readonly event: LandingEvent
  readonly notice: (landing: Landing, task: Task) => NewEvent
  readonly batchLimit?: number
  readonly checks?: Landing['checks']
  /** The change of the task, if the move ends the landing. */
  readonly task?: (
    landing: Landing,
    task: Task,
  ) => {
    readonly event: TaskEvent
    readonly notice: NewEvent
    /** The whole problem; the task's state has only its first line. */
    readonly failure?: string
  }
}

/** Stores one move of a landing and of its task, in an open transaction that holds the job's lock. */
export async function storeLanding(
  needs: Pick<LandingNeeds, 'clock'>,
  records: Records,
  landingId: LandingId,
  move: LandingMove,
): Promise<boolean> {
  const landing = await records.landings.find(landingId)
  const state = landing === undefined ? undefined : nextLandingState(landing.state, move.event)
  if (landing === undefined || state?.ok !== true) return false
  const task = await records.tasks.find(landing.taskId)
  if (task === undefined) throw new Error(`landing ${landingId} has no task ${landing.taskId}`)
  await records.landings.save(
    {
      ...landing,
      state: state.value,
      checks: move.checks ?? landing.checks,
      batchLimit: Math.min(landing.batchLimit, move.batchLimit ?? landing.batchLimit),
      ...(isLandingFinished(state.value) ? { endedAt: needs.clock.now() } : {}),
    },
    {
      audit: { actor: 'engine', action: move.event.type, subject: landing.id, detail: {} },
      events: [move.notice(landing, task)],
    },
  )
  if (move.task !== undefined) await storeTask(needs, records, task, move.task(landing, task))
  return true
}

async function storeTask(
  needs: Pick<LandingNeeds, 'clock'>,
  records: Records,
  task: Task,
  outcome: ReturnType<NonNullable<LandingMove['task']>>,
): Promise<void> {
  const state = nextTaskState(task.state, outcome.event)
  if (!state.ok) return
  await records.tasks.save(
    {
      ...task,
      state: state.value,
      completedAt: needs.clock.now(),
      ...(outcome.failure === undefined ? {} : { lastFailure: outcome.failure }),
    },
    {
      audit: { actor: 'engine', action: outcome.event.type, subject: task.id, detail: {} },
      events: [outcome.notice],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}
