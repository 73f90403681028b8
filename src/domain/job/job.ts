import type { AgentSpec } from '../agent/agent-spec.ts'
import type { JobId, ProjectId } from '../id.ts'
import type { SandboxChoice } from '../session/sandbox-policy.ts'
import type { JobState } from './job-state.ts'

export type JobLimits = {
  readonly maxCycles?: number
  readonly timeLimitMinutes?: number
  readonly maxParallelTasks: number
  readonly attemptMinutes: number
  readonly maxAttempts: number
}

/** What a job was started with; a snapshot, so that a later edit of muster.yaml does not change it. */
export type JobPlan = {
  readonly agents: readonly AgentSpec[]
  readonly worker: string
  readonly planner: string
  /** Shell commands run on the exact tree that would land. None is said out loud, never taken as passed. */
  readonly checks: readonly string[]
  /** Absent in jobs of before there was a choice. */
  readonly sandbox?: SandboxChoice
  readonly limits: JobLimits
}

/** A goal pursued in cycles until done, out of limits, or cancelled. */
export type Job = {
  readonly id: JobId
  readonly projectId: ProjectId
  readonly userId: string
  readonly repositoryPath: string
  readonly baseBranch: string
  readonly baseCommit: string
  readonly workingBranch: string
  readonly requestDocument: string
  readonly taskList: string
  readonly plan: JobPlan
  readonly state: JobState
  readonly currentCycle: number
  /** Time spent running before `runningSince`; pauses do not count against the time limit. */
  readonly activeMs: number
  readonly runningSince?: Date
  readonly summary?: string
  readonly lastError?: string
  readonly errorCount: number
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly startedAt?: Date
  readonly completedAt?: Date
}

/** How long a job has been running, pauses left out. */
export function activeMsOf(job: Pick<Job, 'activeMs' | 'runningSince'>, now: Date): number {
  if (job.runningSince === undefined) return job.activeMs
  return job.activeMs + Math.max(0, now.getTime() - job.runningSince.getTime())
}
