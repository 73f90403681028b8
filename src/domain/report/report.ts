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
import type { LandingState } from '../landing/landing.ts'
import type { LandingWait } from '../landing/landing-wait.ts'
import type { Verdict } from '../review/verdict.ts'
import type { TaskOrigin } from '../task/task.ts'
import type { TaskState } from '../task/task-state.ts'
import type { ChangeCounts } from '../task/work-changes.ts'
import type { ReportRun } from './report-run.ts'

/** What something cost, as far as the programs reported it. */
export type ReportCost = {
  readonly costUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Sessions of agents that reported no price, so the sum lacks their cost; and the name of the first. */
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
  /** How it was judged, or its current state. */
  readonly outcome: 'accepted' | 'rejected' | 'cancelled' | 'preparing' | 'running' | 'ended'
  /** What a reviewer decided; `reason` is then the first issue. */
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
  /** Given if its checks have passed and it has not landed. */
  readonly waitsFor?: LandingWait
  readonly candidateId?: CandidateId
  /** Tasks that were merged into the same commit and checked together with it. */
  readonly mates: readonly TaskId[]
  readonly commit?: string
  readonly tree?: string
  readonly isContained: boolean
  readonly reason?: string
  readonly conflictPaths: readonly string[]
  readonly checks: readonly CheckResult[]
  /** Whether git, asked again, has the tree that landed and that every check ran on. */
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
  /** A person denied its work. */
  readonly isDenied?: boolean
  /** The task that merged this one's work after a conflict, and landed. */
  readonly supersededBy?: TaskId
  /** A task of a later cycle that landed for the same clauses. It may have done something else. */
  readonly coveredBy?: TaskId
  /** How much its work changes; absent until there is work. */
  readonly changes?: ChangeCounts
  /** What could not be collected from its agent's tree. */
  readonly omissions?: readonly string[]
  /** What its agent said about the result. */
  readonly summary?: string
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
   * `served`: every task for it has landed. `open`: one has not, or all were skipped. `shown`: no task serves it, but the
   * planner gave evidence. `untouched`: no task names it, and there is no evidence.
   */
  readonly status: 'served' | 'open' | 'shown' | 'untouched'
  readonly tasks: readonly TaskId[]
  /** The planner's evidence for it. */
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

/** What one job did, each claim with its evidence. */
export type Report = {
  readonly jobId: JobId
  readonly projectId: ProjectId
  readonly repositoryPath: string
  readonly baseBranch: string
  readonly baseCommit: string
  readonly workingBranch: string
  readonly status: JobState['type']
  /** Why the job ended. */
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
  /** Tasks that name no clause of the goal. */
  readonly otherTasks: readonly TaskId[]
  /** Tasks beyond the limit of a report; they still count in the cost and in `notReady`. */
  readonly omittedTasks: number
  /** The newest runs of playbooks, oldest first. */
  readonly runs: readonly ReportRun[]
  readonly blockers: readonly ReportBlocker[]
  readonly cost: ReportCost
  readonly agents: readonly ReportAgent[]
  /** Given if the job has ended and its base branch has all of its work; `commit` brought it, if that is known. */
  readonly merged?: { readonly commit?: string }
  readonly finalizeReady: boolean
  /** The tasks whose work a person denied and that no later work covers: the result is complete without them. */
  readonly denied: readonly TaskId[]
  readonly notReady: readonly string[]
  /** What to know before using the result; not reasons against it. */
  readonly notes: readonly string[]
}
