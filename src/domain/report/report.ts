import type {
  ApprovalId,
  AttemptId,
  CandidateId,
  JobId,
  LandingId,
  MessageId,
  ProjectId,
  SessionId,
  TaskId,
} from '../id.ts'
import type { JobState } from '../job/job-state.ts'
import type { CheckResult } from '../landing/check-result.ts'
import type { LandingState } from '../landing/landing-state.ts'
import type { Verdict } from '../review/verdict.ts'
import type { TaskOrigin } from '../task/task-origin.ts'
import type { TaskState } from '../task/task-state.ts'

/** What something cost, as far as the programs told. */
export type ReportCost = {
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Sessions of agents that told no price: what they cost is not in the sum. The first of them by name. */
  readonly unpriced: number
  readonly unpricedSessions: readonly SessionId[]
}

export type ReportAttempt = {
  readonly id: AttemptId
  readonly role: string
  readonly number: number
  readonly agent: string
  readonly provider: string
  readonly model?: string
  /** How it was judged, or where it is. */
  readonly outcome: 'accepted' | 'rejected' | 'cancelled' | 'preparing' | 'running' | 'ended'
  /** What a reviewer decided; the reason is then the first of their words. */
  readonly verdict?: Verdict['type']
  readonly reason?: string
  readonly tip?: string
  readonly durationMs: number
  readonly cost: ReportCost
}

export type ReportLanding = {
  readonly id: LandingId
  readonly attemptId: AttemptId
  readonly status: LandingState['type']
  readonly candidateId?: CandidateId
  /** Tasks that were merged into the same commit and checked with it. */
  readonly mates: readonly TaskId[]
  readonly commit?: string
  readonly tree?: string
  readonly isContained: boolean
  readonly reason?: string
  readonly conflictPaths: readonly string[]
  readonly checks: readonly CheckResult[]
  /** Git was asked again: the tree of the commit is the one that landed and the one every check ran on. */
  readonly verified?: boolean
}

export type ReportCriterion = {
  readonly text: string
  readonly isMet?: boolean
  readonly evidence?: string
  readonly by?: 'worker' | 'reviewer'
}

export type ReportTask = {
  readonly id: TaskId
  readonly cycleNumber: number
  readonly number: number
  readonly description: string
  readonly priority: 'P0' | 'P1' | 'P2'
  readonly status: TaskState['type']
  readonly origin: TaskOrigin['type']
  readonly clauses: readonly number[]
  readonly reason?: string
  readonly suggestion?: string
  /** The task that merged this one's work after a conflict, and landed. */
  readonly supersededBy?: TaskId
  readonly rounds: number
  readonly criteria: readonly ReportCriterion[]
  readonly attempts: readonly ReportAttempt[]
  readonly reviews: readonly ReportAttempt[]
  readonly landings: readonly ReportLanding[]
  readonly cost: ReportCost
}

export type ReportClause = {
  /** From 1. */
  readonly number: number
  readonly text: string
  /**
   * `served`: everything that was to serve it has landed. `shown`: no task names it, and the planner said what shows
   * it. `untouched`: neither.
   */
  readonly status: 'served' | 'open' | 'shown' | 'untouched'
  readonly tasks: readonly TaskId[]
  /** What the planner said shows it. */
  readonly evidence: readonly string[]
}

export type ReportBlocker =
  | { readonly type: 'task'; readonly id: TaskId; readonly text: string; readonly suggestion?: string }
  | { readonly type: 'planner'; readonly text: string }
  | { readonly type: 'approval'; readonly id: ApprovalId; readonly text: string }
  | { readonly type: 'question'; readonly id: MessageId; readonly text: string }

export type ReportAgent = {
  readonly agent: string
  readonly provider: string
  readonly sessions: number
  readonly durationMs: number
  readonly cost: ReportCost
}

/** What one job did, each claim with what it rests on. */
export type Report = {
  readonly jobId: JobId
  readonly projectId: ProjectId
  readonly repositoryPath: string
  readonly baseBranch: string
  readonly baseCommit: string
  readonly workingBranch: string
  readonly status: JobState['type']
  /** Why it ended. */
  readonly reason?: string
  readonly evidence: readonly string[]
  readonly cycles: number
  readonly activeMs: number
  readonly startedAt?: Date
  readonly completedAt?: Date
  readonly at: Date
  readonly checks: readonly string[]
  readonly clauses: readonly ReportClause[]
  readonly tasks: readonly ReportTask[]
  /** Those that name no clause of the goal. */
  readonly otherTasks: readonly TaskId[]
  /** Beyond what a report holds; they are counted in the cost and in what is not ready. */
  readonly omittedTasks: number
  readonly blockers: readonly ReportBlocker[]
  readonly cost: ReportCost
  readonly agents: readonly ReportAgent[]
  readonly finalizeReady: boolean
  readonly notReady: readonly string[]
  /** What to know before it is taken, and no reason not to. */
  readonly notes: readonly string[]
}
