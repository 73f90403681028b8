import type { WireJob } from '../../client/index.ts'

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

/** One job that follows a playbook. */
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
  /** The summaries of the job's runs, a line each. */
  readonly summary: string
  /** Milliseconds. */
  readonly duration: number
  /** By role, also those of runs within the run. */
  readonly agentSummaries: ReadonlyMap<string, AgentSummary>
  /** The files that the job changed. */
  readonly artifacts: readonly string[]
  readonly errors: readonly SessionError[]
}

/** `tasksCompleted`: visits of the role that have ended and not failed. */
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
