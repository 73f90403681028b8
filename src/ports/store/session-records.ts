import type { NewEvent } from '../../domain/event/event.ts'
import type { JobId, MessageId, RunId, SessionId } from '../../domain/id.ts'
import type { ConversationState } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionInput } from '../../domain/session/session-input.ts'
import type { SessionPurpose } from '../../domain/session/session-purpose.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import type { Change } from './change.ts'

/** Lines of one session as events, and the spool offsets up to which they were read. */
export type SpoolProgress = {
  readonly sessionId: SessionId
  readonly fromOut: number
  readonly toOut: number
  readonly fromErr: number
  readonly toErr: number
  readonly events: readonly NewEvent[]
  /** Present if the lines, or a sent input, changed the conversation. */
  readonly conversation?: ConversationState
  /** Inputs that were sent; they are not pending any more. */
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
  /** As `canResume` decides. */
  readonly isResumable?: boolean
  /** As `canBeAsked` decides. */
  readonly isAskable?: boolean
}

export interface SessionRecords {
  insert(session: Session, change: Change): Promise<Session>
  save(session: Session, change: Change): Promise<Session>
  /** Saves a session whose program has just started: its spools and its conversation start over. */
  saveProcess(session: Session, change: Change): Promise<Session>
  /**
   * Stores events and moves the offsets of sessions whose offsets are still the `from` ones; skips the others. Returns
   * the ids of the sessions that moved. The version stays the same, because this is not a change of state.
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
  /** Makes other transactions that call this wait until this one ends, so only one at a time admits programs. */
  lockAdmission(): Promise<void>
  /** What the programs of a job have cost so far, in dollars, as far as they reported it. */
  spentBy(jobId: JobId): Promise<number>
  /** The same for the attempts of these runs of a job, and for the questions that were asked about them. */
  spentOn(jobId: JobId, runIds: readonly RunId[]): Promise<number>
  /** The same for everything started since then. */
  spentSince(since: Date): Promise<number>
  /** Inputs that wait to be sent to these sessions, oldest first. */
  pendingInputs(sessionIds: readonly SessionId[]): Promise<readonly PendingInput[]>
}
