import { CamelCasePlugin, type Generated, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { AgentRole, AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { ApprovalAction, ApprovalState } from '../../../domain/approval/approval.ts'
import type { AttemptState } from '../../../domain/attempt/attempt-state.ts'
import type { CyclePhase } from '../../../domain/cycle/cycle.ts'
import type { HandoffNote } from '../../../domain/handoff/handoff-note.ts'
import type {
  ApprovalId,
  AttemptId,
  CycleId,
  JobId,
  LandingId,
  MessageId,
  ProjectId,
  SessionId,
  StreamId,
  TaskId,
} from '../../../domain/id.ts'
import type { JobPlan } from '../../../domain/job/job.ts'
import type { JobState } from '../../../domain/job/job-state.ts'
import type { CheckResult } from '../../../domain/landing/landing.ts'
import type { LandingState } from '../../../domain/landing/landing-state.ts'
import type { MessageKind, Sender } from '../../../domain/message/message.ts'
import type { MessageState } from '../../../domain/message/message-state.ts'
import type { Recipient } from '../../../domain/message/recipient.ts'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { SessionMode, SessionPurpose } from '../../../domain/session/session.ts'
import type { SessionInput } from '../../../domain/session/session-input.ts'
import type { SessionState } from '../../../domain/session/session-state.ts'
import type { Talk } from '../../../domain/session/talk.ts'
import type { Priority } from '../../../domain/task/task.ts'
import type { TaskState } from '../../../domain/task/task-state.ts'

export type Database = {
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
    plan: JobPlan
    state: JobState
    status: Generated<string>
    version: number
    currentCycle: number
    activeMs: number
    runningSince: Date | null
    summary: string | null
    lastError: string | null
    errorCount: number
    idempotencyKey: string | null
    createdAt: Date
    updatedAt: Date
    startedAt: Date | null
    completedAt: Date | null
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
    agent: string | null
    branch: string
    state: TaskState
    status: Generated<string>
    version: number
    retryCount: number
    lastFailure: string | null
    resultSummary: string | null
    filesModified: readonly string[]
    commitsMade: readonly string[]
    createdAt: Date
    startedAt: Date | null
    completedAt: Date | null
  }
  attempts: {
    id: AttemptId
    jobId: JobId
    cycleId: CycleId
    taskId: TaskId | null
    role: AgentRole
    number: number
    agent: AgentSpec
    sessionId: SessionId
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
    mode: SessionMode
    state: SessionState
    status: Generated<string>
    version: number
    life: number
    containment: Containment | null
    outOffset: number
    errOffset: number
    talk: Talk
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
  approvals: {
    id: ApprovalId
    jobId: JobId | null
    attemptId: AttemptId | null
    sessionId: SessionId
    life: number
    requestId: string
    digest: string
    action: ApprovalAction
    state: ApprovalState
    status: Generated<string>
    version: number
    createdAt: Date
    expiresAt: Date
    decidedAt: Date | null
  }
  messages: {
    id: MessageId
    position: Generated<number>
    jobId: JobId | null
    sender: Sender
    recipient: Recipient
    kind: MessageKind
    subject: string
    body: string
    metadata: Readonly<Record<string, unknown>>
    inReplyTo: MessageId | null
    dedupeKey: string | null
    state: MessageState
    status: Generated<string>
    version: number
    createdAt: Date
    deliveredAt: Date | null
    endedAt: Date | null
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
    createdAt: Date
    endedAt: Date | null
  }
  events: {
    streamId: StreamId
    seq: number
    position: Generated<number>
    transactionId: Generated<string>
    type: string
    cycle: number | null
    taskId: TaskId | null
    attemptId: AttemptId | null
    sessionId: SessionId | null
    data: Readonly<Record<string, unknown>>
    at: Generated<Date>
  }
}

const INT8 = 20

/** Opens the pool behind everything stored. Idle connections that break are replaced, not fatal. */
export function openDatabase(connection: pg.PoolConfig, onError: (error: Error) => void): Kysely<Database> {
  const pool = new pg.Pool({
    max: 16,
    connectionTimeoutMillis: 10_000,
    application_name: 'muster',
    ...connection,
    // Sequences and offsets stay far below 2^53; numbers are what the domain works with.
    types: {
      getTypeParser: (oid: number, format: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    } as never,
  })
  pool.on('error', onError)
  // A connection that breaks while a transaction holds it tells nobody but itself; unheard, that is fatal.
  pool.on('connect', (client) => client.on('error', onError))
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}
