import type { WireJob, WireRun } from '../../client/index.ts'

export type AgentStatus = 'starting' | 'working' | 'blocked' | 'complete' | 'error' | 'terminated'

/** The newest session of a role. There are no panes: programs don't run in a terminal. */
export type ManagedAgent = {
  readonly role: string
  readonly agent: string
  readonly sessionId: string
  readonly status: AgentStatus
  readonly spawnedAt: string
  readonly lastActivityAt: string
  /** Visits of its role that have ended. */
  readonly messageCount: number
  readonly errorCount: number
}

export type SessionStatus = 'running' | 'complete' | 'failed' | 'cancelled'

/** The seed of everything: one job with one run. */
export type OrchestratorSession = {
  readonly id: string
  readonly workflowType: string
  readonly goal: string
  readonly status: SessionStatus
  readonly startedAt: string
  readonly completedAt?: string
  readonly currentStage?: string
  readonly agents: ReadonlyMap<string, ManagedAgent>
  readonly result?: SessionResult
}

export type SessionResult = {
  readonly success: boolean
  readonly summary: string
  /** Milliseconds. */
  readonly duration: number
  readonly agentSummaries: ReadonlyMap<string, AgentSummary>
  /** The files that the job changed. */
  readonly artifacts: readonly string[]
  readonly errors: readonly SessionError[]
}

export type AgentSummary = { readonly role: string; readonly tasksCompleted: number }

export type SessionError = {
  readonly timestamp: string
  readonly stage: string
  readonly message: string
  readonly recovered: boolean
}

export type OrchestratorEvent =
  | { readonly type: 'session_started'; readonly sessionId: string; readonly workflow: string }
  | { readonly type: 'agent_spawned'; readonly role: string; readonly sessionId: string }
  | { readonly type: 'agent_ready'; readonly role: string }
  | { readonly type: 'agent_working'; readonly role: string; readonly task: string }
  | { readonly type: 'agent_complete'; readonly role: string; readonly summary: string }
  | { readonly type: 'agent_error'; readonly role: string; readonly error: string }
  | { readonly type: 'message_routed'; readonly from: string; readonly to: string; readonly kind: string }
  | { readonly type: 'stage_transition'; readonly from: string; readonly to: string }
  | { readonly type: 'workflow_complete'; readonly success: boolean }
  | { readonly type: 'session_ended'; readonly result: SessionResult }

export function statusOf({ status }: Pick<WireJob, 'status'>): SessionStatus {
  if (status === 'completed') return 'complete'
  if (status === 'cancelled') return 'cancelled'
  return status === 'error' ? 'failed' : 'running'
}

/** What a job has made, in the words of the class. */
export function resultOf(
  job: WireJob,
  runs: readonly WireRun[],
  files: readonly string[],
  roleOf: (run: WireRun, stage: string) => string,
): SessionResult {
  const visits = runs.flatMap((run) =>
    run.visits.map((visit) => ({ ...visit, role: roleOf(run, visit.stage) })),
  )
  const roles = [...new Set(visits.map(({ role }) => role))].filter((role) => role !== '')
  const completed = (role: string) =>
    visits.filter((visit) => visit.role === role && visit.status === 'settled' && visit.outcome !== 'failed')
  const ends = runs.map(({ playbook, end, reason }) =>
    [`${playbook}: ${end ?? 'not ended'}`, reason].filter((part) => part !== undefined).join(', '),
  )
  const startedAt = job.startedAt ?? job.createdAt
  return {
    success: job.status === 'completed' && runs.every(({ end }) => end === 'land' || end === 'done'),
    summary: ends.join('\n'),
    duration: Date.parse(job.completedAt ?? job.updatedAt) - Date.parse(startedAt),
    agentSummaries: new Map(roles.map((role) => [role, { role, tasksCompleted: completed(role).length }])),
    artifacts: files,
    errors: visits.flatMap(({ stage, problem, outcome, createdAt, endedAt = createdAt }) =>
      problem === undefined
        ? []
        : [{ timestamp: endedAt, stage, message: problem, recovered: outcome !== 'failed' }],
    ),
  }
}
