import type { AgentSpec } from '../agent/agent-spec.ts'
import type { HandoffNote } from '../handoff/handoff-note.ts'
import type { AttemptId, JobId, SessionId } from '../id.ts'
import type { Verdict } from '../review/verdict.ts'
import type { Ending } from '../session/ending.ts'
import type { SessionEnd } from '../session/session-state.ts'
import type { AttemptPurpose } from './attempt-purpose.ts'
import type { ContinuedConversation } from './continued-conversation.ts'

/** One try by one agent at what its purpose names. Its number is the fencing token. */
export type Attempt = {
  readonly id: AttemptId
  readonly jobId: JobId
  readonly purpose: AttemptPurpose
  /** The part that its agent plays. */
  readonly role: string
  /** The role of the configuration whose agents and limits apply; absent if it is the same. */
  readonly admittedAs?: string
  readonly number: number
  readonly agent: AgentSpec
  readonly sessionId: SessionId
  /** Absent if its first session begins a conversation. */
  readonly continues?: ContinuedConversation
  readonly state: AttemptState
  /** The commit its working tree started from; known once the tree exists. */
  readonly baseCommit?: string
  /** The commit pinned when it ended: the agent's commits, with its uncommitted work on top. */
  readonly tip?: string
  /** What sessions that handed over left for the next one, oldest first. */
  readonly handoffs: readonly HandoffNote[]
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

export type AttemptOutcome =
  /** `verdict`: what a reviewer's attempt decided. */
  | { readonly type: 'accepted'; readonly verdict?: Verdict }
  | { readonly type: 'rejected'; readonly reason: string }
  | { readonly type: 'cancelled' }

export type AttemptState =
  | { readonly type: 'preparing' }
  | { readonly type: 'running' }
  /** The session has ended; its work has not been judged yet. */
  | { readonly type: 'ended'; readonly end: SessionEnd; readonly ending: Ending }
  | { readonly type: 'settled'; readonly outcome: AttemptOutcome }
