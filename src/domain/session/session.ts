import type { AttemptId, JobId, LandingId, SessionId } from '../id.ts'
import type { Containment, SessionState } from './session-state.ts'

/** What a session is for: an agent's attempt, or one check of a landing. */
export type SessionPurpose =
  | { readonly type: 'attempt'; readonly attemptId: AttemptId }
  | { readonly type: 'check'; readonly landingId: LandingId; readonly index: number }

/** One life of a program under a session host. */
export type Session = {
  readonly id: SessionId
  readonly jobId: JobId
  readonly purpose: SessionPurpose
  readonly agentName: string
  readonly provider: string
  readonly role: string
  readonly state: SessionState
  readonly containment?: Containment
  /** Bytes of each spool already turned into events; moved in the transaction that stores those events. */
  readonly outOffset: number
  readonly errOffset: number
  readonly startedAt?: Date
  /** When it is stopped; set when it starts, so that waiting does not count. */
  readonly deadline?: Date
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}
