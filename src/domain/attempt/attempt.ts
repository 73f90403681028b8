import type { AgentSpec } from '../agent/agent-spec.ts'
import type { HandoffNote } from '../handoff/handoff-note.ts'
import type { AttemptId, JobId, SessionId } from '../id.ts'
import type { AttemptPurpose } from './attempt-purpose.ts'
import type { AttemptState } from './attempt-state.ts'

/** One try by one agent at what its purpose names. Its number is the fencing token. */
export type Attempt = {
  readonly id: AttemptId
  readonly jobId: JobId
  readonly purpose: AttemptPurpose
  /** The name of the role that its agent has. */
  readonly role: string
  readonly number: number
  readonly agent: AgentSpec
  readonly sessionId: SessionId
  readonly state: AttemptState
  /** The commit its working tree started from; known once the tree was made. */
  readonly baseCommit?: string
  /** What was pinned when it ended: the agent's commits, with its uncommitted work on top. */
  readonly tip?: string
  /** What sessions that handed over left to the next one, oldest first. */
  readonly handoffs: readonly HandoffNote[]
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}
