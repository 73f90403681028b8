import type { AgentSpec } from '../agent/agent-spec.ts'
import type { RoleBindings } from '../agent/role-binding.ts'
import type { JobId, ProjectId } from '../id.ts'
import type { LandingMode } from '../landing/landing-mode.ts'
import type { SandboxChoice } from '../session/sandbox-policy.ts'
import type { JobState } from './job-state.ts'

export type JobLimits = {
  readonly maxCycles?: number
  readonly timeLimitMinutes?: number
  /** Tasks of the job at once. */
  readonly maxParallelTasks: number
  /** Sessions of the project at once, over all its jobs. */
  readonly projectParallel?: number
  /** Sessions of a model at once, over all jobs, by the model's name. */
  readonly modelParallel?: Readonly<Record<string, number>>
  readonly attemptMinutes: number
  readonly maxAttempts: number
  /** What all sessions of the job together may cost. */
  readonly budgetUsd?: number
  /** What all jobs together may cost in a day. */
  readonly dailyUsd?: number
  /** Below so much free memory nothing more starts beside what runs. */
  readonly memoryFloorMb?: number
}

/** What a job was started with; a snapshot, so that a later edit of muster.yaml does not change it. */
export type JobPlan = {
  readonly agents: readonly AgentSpec[]
  readonly worker: string
  readonly planner: string
  /** Shell commands run on the exact tree that would land. None is said out loud, never taken as passed. */
  readonly checks: readonly string[]
  /** Shell commands run once in every new tree. This and what follows is absent in jobs of before there was it. */
  readonly setup?: readonly string[]
  /** Files of the person's checkout that every tree gets. */
  readonly copy?: readonly string[]
  readonly mode?: LandingMode
  /** Who reviews what the workers made; absent when nobody does. */
  readonly reviewer?: string
  /** Whether what was learnt may be appended to the goal. */
  readonly learnings?: boolean
  /** How many sessions of a role may run at once; in jobs created before `roles` existed. */
  readonly roleLimits?: Readonly<Record<string, number>>
  /** Which agents and models may take each role; a role without a binding has no limit. */
  readonly roles?: RoleBindings
  /** Absent in jobs of before there was a choice. */
  readonly sandbox?: SandboxChoice
  readonly limits: JobLimits
}

/** A commit of the base branch that the working branch could not take in, and why. */
export type MovedBase = { readonly commit: string; readonly problem: string }

/** A goal pursued in cycles until done, out of limits, or cancelled. */
export type Job = {
  readonly id: JobId
  readonly projectId: ProjectId
  readonly userId: string
  readonly repositoryPath: string
  readonly baseBranch: string
  readonly baseCommit: string
  readonly workingBranch: string
  /** The goal that is in force; a newer one waits, as a document, for the next discovery. */
  readonly requestDocument: string
  /** TASKLIST.md as it was last written from the rows. */
  readonly taskList: string
  /** What the person wants done, in their words; in force like the goal. */
  readonly wantedTasks: string
  /** Where the base branch has moved to, while that cannot be brought in. */
  readonly movedBase?: MovedBase
  readonly plan: JobPlan
  readonly state: JobState
  readonly currentCycle: number
  /** Time spent running before `runningSince`; pauses do not count against the time limit. */
  readonly activeMs: number
  readonly runningSince?: Date
  /** What a person was last told about its budget: each is said once. */
  readonly budgetNotice?: 'warned' | 'reached'
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
