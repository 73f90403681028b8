import type { AgentSpec } from '../agent/agent-spec.ts'
import type { AttemptId, CandidateId, JobId, MessageId, ProjectId, SessionId } from '../id.ts'
import type { Containment, SandboxChoice } from './sandbox-policy.ts'
import type { SessionState } from './session-state.ts'
import type { Talk } from './talk.ts'

/** What a session is for. */
export type SessionPurpose =
  | { readonly type: 'attempt'; readonly attemptId: AttemptId }
  | {
      readonly type: 'check'
      readonly candidateId: CandidateId
      readonly index: number
      /** The first in a new tree, which has to be set up for it. */
      readonly isFresh: boolean
    }
  /** Opened by a person, in a working tree of its own, until they end it. */
  | {
      readonly type: 'standing'
      readonly projectId: ProjectId
      readonly repositoryPath: string
      readonly baseCommit: string
      /** What it left when it was over. */
      readonly tip?: string
      readonly branch: string
      readonly agent: AgentSpec
      readonly sandbox: SandboxChoice
      /** As in a job's plan; absent in sessions of before there was it. */
      readonly setup?: readonly string[]
      readonly copy?: readonly string[]
      readonly prompt: string
    }
  /** Asks an earlier session what it knows. */
  | {
      readonly type: 'query'
      readonly of: SessionId
      readonly question: string
      readonly agent: AgentSpec
      readonly timeMs: number
      /** The letter it answers, when an agent asked. */
      readonly replyTo?: MessageId
    }

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
