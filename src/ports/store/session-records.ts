import type { NewEvent } from '../../domain/event/job-event.ts'
import type { JobId, SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Change } from './change.ts'

/** Lines of one session turned into events, with the places in the spools up to which they reach. */
export type SpoolProgress = {
  readonly sessionId: SessionId
  readonly fromOut: number
  readonly toOut: number
  readonly fromErr: number
  readonly toErr: number
  readonly events: readonly NewEvent[]
}

export interface SessionRecords {
  insert(session: Session, change: Change): Promise<Session>
  save(session: Session, change: Change): Promise<Session>
  /**
   * Stores events and moves the offsets, for sessions whose offsets are still the `from` ones; the others are
   * left out. Gives the ids of the sessions that moved. Does not touch the version: it is no change of state.
   */
  advance(progress: readonly SpoolProgress[]): Promise<readonly SessionId[]>
  find(id: SessionId): Promise<Session | undefined>
  /** Everything not terminated. */
  listLive(jobId?: JobId): Promise<readonly Session[]>
  listOfJob(jobId: JobId): Promise<readonly Session[]>
  listRecent(limit: number): Promise<readonly Session[]>
}
