import type { NewEvent } from '../../domain/event/event.ts'
import type { JobId, MessageId, SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionInput } from '../../domain/session/session-input.ts'
import type { SessionPurpose } from '../../domain/session/session-purpose.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import type { Talk } from '../../domain/session/talk.ts'
import type { Change } from './change.ts'

/** Lines of one session turned into events, with the places in the spools up to which they reach. */
export type SpoolProgress = {
  readonly sessionId: SessionId
  readonly fromOut: number
  readonly toOut: number
  readonly fromErr: number
  readonly toErr: number
  readonly events: readonly NewEvent[]
  /** Present when the lines, or what was to be said, moved the conversation on. */
  readonly talk?: Talk
  /** Inputs that were said with this; they are not given out again. */
  readonly said?: readonly number[]
}

export type PendingInput = {
  readonly id: number
  readonly sessionId: SessionId
  readonly input: SessionInput
}

export type SessionFilter = {
  readonly jobId?: JobId
  readonly agentName?: string
  readonly role?: string
  readonly purpose?: SessionPurpose['type']
  /** Answers this message. */
  readonly replyTo?: MessageId
  readonly status?: readonly SessionState['type'][]
  /** Its program told its own name for the conversation, so that it can be gone on with. */
  readonly isResumable?: boolean
}

export interface SessionRecords {
  insert(session: Session, change: Change): Promise<Session>
  save(session: Session, change: Change): Promise<Session>
  /** Saves a session whose program was just started: its spools and its conversation begin anew. */
  saveLife(session: Session, change: Change): Promise<Session>
  /**
   * Stores events and moves the offsets, for sessions whose offsets are still the `from` ones; the others are
   * left out. Gives the ids of the sessions that moved. Does not touch the version: it is no change of state.
   */
  advance(progress: readonly SpoolProgress[]): Promise<readonly SessionId[]>
  find(id: SessionId): Promise<Session | undefined>
  /** Those that exist, in no particular order. */
  findMany(ids: readonly SessionId[]): Promise<readonly Session[]>
  /** Everything not terminated. */
  listLive(jobId?: JobId): Promise<readonly Session[]>
  listOfJob(jobId: JobId): Promise<readonly Session[]>
  /** Newest first. */
  list(filter: SessionFilter, limit: number): Promise<readonly Session[]>
  addInput(sessionId: SessionId, input: SessionInput, change: Change): Promise<void>
  /** Other transactions that ask wait until this one ends: what there is room for is decided by one at a time. */
  lockAdmission(): Promise<void>
  /** What the programs of a job have cost so far, in dollars, as far as they tell. */
  spentBy(jobId: JobId): Promise<number>
  /** The same over everything that was started since then. */
  spentSince(since: Date): Promise<number>
  /** What waits to be said to these sessions, oldest first. */
  pendingInputs(sessionIds: readonly SessionId[]): Promise<readonly PendingInput[]>
}
