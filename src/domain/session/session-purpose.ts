import type { StartLimits } from '../admission/limit-order.ts'
import type { AgentSpec } from '../agent/agent-spec.ts'
import type { PassedOver } from '../agent/passed-over.ts'
import type { AttemptId, BaselineId, CandidateId, MessageId, ProjectId, SessionId, VisitId } from '../id.ts'
import type { SandboxChoice } from './sandbox-policy.ts'

/** What a session is for. */
export type SessionPurpose =
  | { readonly type: 'attempt'; readonly attemptId: AttemptId }
  | {
      readonly type: 'check'
      readonly candidateId: CandidateId
      readonly index: number
      /** The shell command that must pass. */
      readonly command: string
      /** It starts in a new tree, which must be set up first. */
      readonly isFresh: boolean
    }
  /** Runs one check on the commit that jobs start from. It belongs to no job: several may wait for it. */
  | {
      readonly type: 'baseline'
      readonly baselineId: BaselineId
      readonly projectId: ProjectId
      readonly index: number
      readonly command: string
      readonly isFresh: boolean
    }
  /** Runs one check for a visit of a run. */
  | {
      readonly type: 'visit-check'
      readonly visitId: VisitId
      readonly index: number
      readonly command: string
      readonly isFresh: boolean
    }
  /** Opened by a person, in its own working tree, until they end it. */
  | {
      readonly type: 'personal'
      readonly projectId: ProjectId
      readonly repositoryPath: string
      readonly baseCommit: string
      /** The commit it left when it ended, once its work is pinned. */
      readonly tip?: string
      /** Why that commit is not on its branch in the person's repository. */
      readonly undelivered?: Undelivered
      readonly branch: string
      readonly agent: AgentSpec
      readonly sandbox: SandboxChoice
      /** As in a job's plan; absent in sessions created before this field existed. */
      readonly setup?: readonly string[]
      readonly copy?: readonly string[]
      /** The limits configured when it was opened. */
      readonly limits?: StartLimits
      /** As in a job's plan. */
      readonly passedOver?: readonly PassedOver[]
      readonly prompt: string
    }
  /** Asks an earlier session what it knows. */
  | {
      readonly type: 'query'
      readonly of: SessionId
      readonly question: string
      readonly agent: AgentSpec
      readonly timeMs: number
      /** The message it answers, if an agent asked. */
      readonly replyTo?: MessageId
    }

/** `refused`: it must not be delivered unless a person asks for it. `failed`: the delivery failed. */
export type Undelivered = { readonly type: 'refused' | 'failed'; readonly reason: string }

/** A purpose of one type. */
export type PurposeOf<Type extends SessionPurpose['type']> = Extract<SessionPurpose, { readonly type: Type }>

/** What follows from a session's purpose alone, without other rows. */
export type PurposeRules = {
  /** Its program's output is an agent's side of a conversation; otherwise it is plain output. */
  readonly speaks: boolean
  /** It can send messages to agents and people, and receive them. */
  readonly takesMessages: boolean
  /** Its program uses a model, which may cost money. */
  readonly costs: boolean
  /** It is finished when its program's turn ends; otherwise it waits for the next message. */
  readonly endsWithTurn: boolean
  /** Out of quota, it is parked until it has quota again; otherwise it ends. */
  readonly waitsForQuota: boolean
  /** Others may ask it questions once it has ended or is suspended. */
  readonly canBeAsked: boolean
  /** It continues an earlier conversation, so it starts before new work, and money never stops it. */
  readonly continuesWork: boolean
  /** It is stopped when its job ends. */
  readonly endsWithJob: boolean
  /** It is stopped if it waits when its job is out of time. Checks of finished work still run, so that it can land. */
  readonly stopsAtTimeLimit: boolean
}

const CHECK_RULES: PurposeRules = {
  speaks: false,
  takesMessages: false,
  costs: false,
  endsWithTurn: true,
  waitsForQuota: false,
  canBeAsked: false,
  continuesWork: false,
  endsWithJob: true,
  stopsAtTimeLimit: false,
}

const RULES: { readonly [Type in SessionPurpose['type']]: PurposeRules } = {
  attempt: {
    speaks: true,
    takesMessages: true,
    costs: true,
    endsWithTurn: true,
    waitsForQuota: true,
    canBeAsked: true,
    continuesWork: false,
    endsWithJob: true,
    stopsAtTimeLimit: true,
  },
  check: CHECK_RULES,
  // Other jobs may wait for it: `releaseBaseline` stops it.
  baseline: { ...CHECK_RULES, endsWithJob: false },
  'visit-check': CHECK_RULES,
  personal: {
    speaks: true,
    takesMessages: true,
    costs: true,
    endsWithTurn: false,
    waitsForQuota: true,
    canBeAsked: true,
    continuesWork: false,
    endsWithJob: false,
    stopsAtTimeLimit: false,
  },
  query: {
    speaks: true,
    takesMessages: true,
    costs: true,
    endsWithTurn: true,
    waitsForQuota: false,
    canBeAsked: false,
    continuesWork: true,
    endsWithJob: false,
    stopsAtTimeLimit: false,
  },
}

type Purposeful = { readonly purpose: SessionPurpose }

export function rulesOf({ purpose }: Purposeful): PurposeRules {
  return RULES[purpose.type]
}

/** The attempt that a session works on. */
export function attemptIdOf({ purpose }: Purposeful): AttemptId | undefined {
  return 'attemptId' in purpose ? purpose.attemptId : undefined
}

/** The session whose tree and conversation this one uses. */
export function askedSessionOf({ purpose }: Purposeful): SessionId | undefined {
  return 'of' in purpose ? purpose.of : undefined
}

/** The agent's message that a session answers; undefined if a person asked, or nobody did. */
export function questionOf({ purpose }: Purposeful): MessageId | undefined {
  return 'replyTo' in purpose ? purpose.replyTo : undefined
}
