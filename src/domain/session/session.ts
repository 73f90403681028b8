import type { JobId, SessionId } from '../id.ts'
import type { ConversationState } from './conversation-state.ts'
import type { Containment } from './sandbox-policy.ts'
import type { SessionPurpose } from './session-purpose.ts'
import type { SessionState } from './session-state.ts'

export type SessionMode = 'headless' | 'interactive'

/** One conversation with an agent program, over one or more processes. */
export type Session = {
  readonly id: SessionId
  /** Absent for a session that a person opened outside any job. */
  readonly jobId?: JobId
  readonly purpose: SessionPurpose
  readonly agentName: string
  readonly provider: string
  readonly role: string
  /** The role of the configuration whose limits apply; absent if it is the same. */
  readonly admittedAs?: string
  readonly mode: SessionMode
  readonly state: SessionState
  /** Counts the programs started for it: one more with every resume. */
  readonly processNumber: number
  readonly containment?: Containment
  /** Bytes of each spool of this process that have become events; moved in the transaction that stores the events. */
  readonly outOffset: number
  readonly errOffset: number
  readonly conversation: ConversationState
  readonly startedAt?: Date
  /** When it will be stopped; set when it starts, so waiting doesn't count. */
  readonly deadline?: Date
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** When it got the place for its program, so that waiting doesn't count as failing to start. */
export function placedAt({ state, createdAt }: Session): number {
  const admittedAt = state.type === 'starting' ? state.admittedAt : undefined
  return admittedAt === undefined ? createdAt.getTime() : Date.parse(admittedAt)
}
