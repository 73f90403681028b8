import type { Cycle } from '../cycle/cycle.ts'
import type { AttemptId, JobId, SessionId, TaskId } from '../id.ts'
import type { Job } from '../job/job.ts'
import type { Session } from '../session/session.ts'
import { attemptIdOf } from '../session/session-purpose.ts'
import type { Task } from '../task/task.ts'

/** Where something happened. Without a job, it belongs to a session outside any job. */
export type EventPlace = {
  readonly jobId?: JobId
  readonly cycle?: number
  readonly taskId?: TaskId
  readonly attemptId?: AttemptId
  readonly sessionId?: SessionId
}

export function jobPlace({ id, currentCycle }: Job): EventPlace {
  return { jobId: id, cycle: currentCycle }
}

export function cyclePlace({ jobId, number }: Cycle): EventPlace {
  return { jobId, cycle: number }
}

export function taskPlace({ jobId, cycleNumber, id }: Task, attemptId?: AttemptId): EventPlace {
  const place = { jobId, cycle: cycleNumber, taskId: id }
  return attemptId === undefined ? place : { ...place, attemptId }
}

/** `within`: the cycle and task of the session's attempt, if the caller has loaded them. */
export function sessionPlace(
  session: Session,
  within: Pick<EventPlace, 'cycle' | 'taskId'> = {},
): EventPlace {
  const { id, jobId } = session
  const attemptId = attemptIdOf(session)
  return {
    ...within,
    sessionId: id,
    ...(jobId === undefined ? {} : { jobId }),
    ...(attemptId === undefined ? {} : { attemptId }),
  }
}
