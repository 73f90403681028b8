import type { NewEvent } from '../../domain/event/job-event.ts'
import type { Session } from '../../domain/session/session.ts'

/** Where in the log something about this session belongs. */
export function placeOf(session: Session): Pick<NewEvent, 'jobId' | 'sessionId' | 'attemptId'> {
  return {
    sessionId: session.id,
    ...(session.jobId === undefined ? {} : { jobId: session.jobId }),
    ...(session.purpose.type === 'attempt' ? { attemptId: session.purpose.attemptId } : {}),
  }
}
