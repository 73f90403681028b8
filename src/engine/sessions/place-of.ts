import type { NewEvent } from '../../domain/event/job-event.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'

/** Where in the log something about this session belongs. */
export function placeOf(session: Session): Pick<NewEvent, 'jobId' | 'sessionId' | 'attemptId'> {
  const attemptId = attemptIdOf(session)
  return {
    sessionId: session.id,
    ...(session.jobId === undefined ? {} : { jobId: session.jobId }),
    ...(attemptId === undefined ? {} : { attemptId }),
  }
}
