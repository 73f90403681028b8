import type { JobId, SessionId } from '../id.ts'
import type { Containment } from './sandbox-policy.ts'
import type { SessionPurpose } from './session-purpose.ts'
import type { SessionState } from './session-state.ts'
import type { Talk } from './talk.ts'

export type SessionMode = 'headless' | 'interactive'

/** One conversation with an agent program, over one or several lives of the program. */
export type Session = {
  readonly id: SessionId
  /** Absent for a session that a person opened outside of any job. */
  readonly jobId?: JobId
  readonly purpose: SessionPurpose
  readonly agentName: string
  readonly provider: string
  readonly role: string
  readonly mode: SessionMode
  readonly state: SessionState
  /** Counts the programs started for it: one more with every resume. */
  readonly life: number
  readonly containment?: Containment
  /** Bytes of each spool of this life already turned into events; moved in the transaction that stores those. */
  readonly outOffset: number
  readonly errOffset: number
  readonly talk: Talk
  readonly startedAt?: Date
  /** When it is stopped; set when it starts, so that waiting does not count. */
  readonly deadline?: Date
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** When it was given the place for its program; waiting for one does not count as failing to start. */
export function placedAt({ state, createdAt }: Session): number {
  const admittedAt = state.type === 'starting' ? state.admittedAt : undefined
  return admittedAt === undefined ? createdAt.getTime() : Date.parse(admittedAt)
}
