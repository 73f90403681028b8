import type { Generated, GeneratedAlways } from 'kysely'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { ApprovalAsker, ApprovalState } from '../../../domain/approval/approval.ts'
import type { ApprovalAction } from '../../../domain/approval/approval-action.ts'
import type { RuleMatch } from '../../../domain/approval/approval-rule.ts'
import type { Attempt, AttemptState } from '../../../domain/attempt/attempt.ts'
import type { AttemptPurpose } from '../../../domain/attempt/attempt-purpose.ts'
import type { CyclePhase } from '../../../domain/cycle/cycle.ts'
import type { EventType } from '../../../domain/event/event.ts'
import type { HandoffNote } from '../../../domain/handoff/handoff-note.ts'
import type {
  ApprovalId,
  ApprovalRuleId,
  AttemptId,
  CandidateId,
  CycleId,
  JobId,
  LandingId,
  ProjectId,
  SessionId,
  StreamId,
  TaskId,
  VisitId,
} from '../../../domain/id.ts'
import type { BaseState } from '../../../domain/job/base-state.ts'
import type { JobPlan, MovedBase } from '../../../domain/job/job.ts'
import type { DocumentKind } from '../../../domain/job/job-document.ts'
import type { JobState } from '../../../domain/job/job-state.ts'
import type { CandidatePurpose } from '../../../domain/landing/candidate.ts'
import type { CandidateState } from '../../../domain/landing/candidate-state.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import type { LandingState } from '../../../domain/landing/landing.ts'
import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { SessionMode } from '../../../domain/session/session.ts'
import type { SessionInput } from '../../../domain/session/session-input.ts'
import type { SessionPurpose } from '../../../domain/session/session-purpose.ts'
import type { SessionState } from '../../../domain/session/session-state.ts'
import type { CriterionResult } from '../../../domain/task/criterion-result.ts'
import type { Priority, TaskOrigin, TaskPlaybook } from '../../../domain/task/task.ts'
import type { TaskState } from '../../../domain/task/task-state.ts'
import type { WorkChanges } from '../../../domain/task/work-changes.ts'
import type { Deletion } from '../../../ports/store/deletion-records.ts'
import type { TrustedPart } from '../../../ports/store/trust-records.ts'
import type { BaselineColumns } from './baseline-columns.ts'
import type { MessageTables } from './message-tables.ts'
import type { PinnedPlaybookColumns, RunColumns, VisitColumns } from './run-columns.ts'

export type Database = MessageTables & {
  projects: { id: ProjectId; path: string; name: string; createdAt: Date }
  jobs: {
    id: JobId
    projectId: ProjectId
    userId: string
    repositoryPath: string
    baseBranch: string
    baseCommit: string
    workingBranch: string
    requestDocument: string
    taskList: string
    requestedTasks: string
    budgetNotice: 'warned' | 'reached' | null
    plan: JobPlan
    state: JobState
    status: Generated<string>
    version: number
    currentCycle: number
    activeMs: number
    runningSince: Date | null
    movedBase: MovedBase | null
    base: BaseState | null
    summary: string | null
    lastError: string | null
    errorCount: number
    idempotencyKey: string | null
    createdAt: Date
    updatedAt: Date
    startedAt: Date | null
    completedAt: Date | null
  }
  baselines: BaselineColumns
  pinnedPlaybooks: PinnedPlaybookColumns
  runs: RunColumns
  visits: VisitColumns
  deletions: {
    jobId: JobId
    projectId: ProjectId
    repositoryPath: string
    workingBranch: string
    removedBranch: string | null
    snapshot: string | null
    pins: Deletion['pins']
    trees: Deletion['trees']
    sessions: Deletion['sessions']
    createdAt: Date
  }
  cycles: {
    id: CycleId
    jobId: JobId
    number: number
    phase: CyclePhase
    tasksDiscovered: number
    tasksLaunched: number
    tasksCompleted: number
    tasksFailed: number
    summary: string | null
    learnings: string | null
    blockers: readonly string[]
    version: number
    startedAt: Date
    completedAt: Date | null
  }
  tasks: {
    id: TaskId
    jobId: JobId
    cycleId: CycleId
    cycleNumber: number
    number: number
    description: string
    context: string
    files: readonly string[]
    parallel: boolean
    priority: Priority
    successCriteria: readonly string[]
    dependsOn: readonly number[]
    after: readonly number[]
    clauses: readonly number[]
    origin: TaskOrigin
    agent: string | null
    playbook: TaskPlaybook | null
    branch: string
    state: TaskState
    status: Generated<string>
    version: number
    retryCount: number
    rounds: number
    criteria: readonly CriterionResult[]
    lastFailure: string | null
    resultSummary: string | null
    changes: WorkChanges | null
    filesModified: readonly string[]
    commitsMade: readonly string[]
    createdAt: Date
    startedAt: Date | null
    completedAt: Date | null
  }
  attempts: {
    id: AttemptId
    jobId: JobId
    purpose: AttemptPurpose
    cycleId: GeneratedAlways<CycleId | null>
    taskId: GeneratedAlways<TaskId | null>
    visitId: GeneratedAlways<VisitId | null>
    role: string
    admittedAs: string | null
    number: number
    agent: AgentSpec
    sessionId: SessionId
    continues: NonNullable<Attempt['continues']> | null
    state: AttemptState
    status: Generated<string>
    version: number
    baseCommit: string | null
    tip: string | null
    handoffs: readonly HandoffNote[]
    createdAt: Date
    endedAt: Date | null
  }
  sessions: {
    id: SessionId
    jobId: JobId | null
    purpose: SessionPurpose
    agentName: string
    provider: string
    role: string
    admittedAs: string | null
    mode: SessionMode
    state: SessionState
    status: Generated<string>
    version: number
    processNumber: number
    containment: Containment | null
    outOffset: number
    errOffset: number
    conversation: ConversationState
    startedAt: Date | null
    deadline: Date | null
    createdAt: Date
    endedAt: Date | null
  }
  sessionInputs: {
    id: Generated<number>
    sessionId: SessionId
    input: SessionInput
    createdAt: Generated<Date>
    saidAt: Date | null
  }
  approvalRules: {
    id: ApprovalRuleId
    approvalId: ApprovalId
    jobId: JobId | null
    sessionId: SessionId | null
    match: RuleMatch
    createdBy: string
    createdAt: Date
    revokedBy: string | null
    revokedAt: Date | null
    version: number
  }
  approvals: {
    id: ApprovalId
    jobId: JobId | null
    attemptId: AttemptId | null
    asker: ApprovalAsker
    sessionId: GeneratedAlways<SessionId | null>
    digest: string
    action: ApprovalAction
    state: ApprovalState
    status: Generated<string>
    version: number
    createdAt: Date
    expiresAt: Date
    decidedAt: Date | null
  }
  landings: {
    id: LandingId
    jobId: JobId
    taskId: TaskId
    attemptId: AttemptId
    branch: string
    tip: string
    state: LandingState
    status: Generated<string>
    version: number
    checks: readonly CheckResult[]
    batchLimit: number
    createdAt: Date
    endedAt: Date | null
  }
  candidates: {
    id: CandidateId
    jobId: JobId
    branch: string
    purpose: CandidatePurpose
    onto: string
    commit: string
    tree: string
    state: CandidateState
    status: Generated<string>
    version: number
    checks: readonly CheckResult[]
    createdAt: Date
    endedAt: Date | null
  }
  documents: {
    jobId: JobId
    kind: DocumentKind
    number: number
    text: string
    author: 'person' | 'engine'
    createdAt: Date
    cycle: number | null
  }
  trustedConfigurations: {
    path: string
    digest: string
    parts: readonly TrustedPart[] | null
    trustedAt: Date
  }
  events: {
    streamId: StreamId
    seq: number
    position: Generated<number>
    transactionId: Generated<string>
    type: EventType
    cycle: number | null
    taskId: TaskId | null
    attemptId: AttemptId | null
    sessionId: SessionId | null
    data: Readonly<Record<string, unknown>>
    at: Generated<Date>
  }
}
