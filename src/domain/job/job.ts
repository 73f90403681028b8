import type { AgentSpec } from '../agent/agent-spec.ts'
import type { PassedOver } from '../agent/passed-over.ts'
import type { RoleBindings } from '../agent/role-binding.ts'
import type { JobId, ProjectId } from '../id.ts'
import type { LandingMode } from '../landing/landing-mode.ts'
import type { Cast } from '../run/cast.ts'
import type { ChildPlaybooks, RunInputs, RunOrigin } from '../run/run.ts'
import type { SandboxChoice } from '../session/sandbox-policy.ts'
import type { TaskPlaybook } from '../task/task.ts'
import type { TaskListPlace } from '../task/task-list-file.ts'
import type { BaseState, FailingBaseChoice } from './base-state.ts'
import type { JobState } from './job-state.ts'

export type JobLimits = {
  readonly maxCycles?: number
  readonly timeLimitMinutes?: number
  /** Concurrent tasks of the job. */
  readonly maxParallelTasks: number
  /** Concurrent sessions of the project, over all its jobs. */
  readonly projectParallel?: number
  /** Concurrent sessions of a model across all jobs, by model name. */
  readonly modelParallel?: Readonly<Record<string, number>>
  readonly attemptMinutes: number
  readonly maxAttempts: number
  /** What all sessions of the job together may cost. */
  readonly budgetUsd?: number
  /** What all jobs together may cost in a day. */
  readonly dailyUsd?: number
  /** With less free memory than this, nothing starts while something else is running. */
  readonly memoryFloorMb?: number
}

/** What a job was started with; a copy, so later edits of muster.yaml don't change it. */
export type JobPlan = {
  readonly agents: readonly AgentSpec[]
  readonly worker: string
  /** The agents bound to do tasks, first choice first: the first free one gets a task. Absent if only one is bound. */
  readonly workers?: readonly string[]
  /** Absent if the job has an `approach`, which needs no planner. */
  readonly planner?: string
  /** How the job pursues its goal without a planner. Absent if a planner lists the tasks, cycle after cycle. */
  readonly approach?: JobApproach
  /** The playbook that works on the planner's tasks that name no other. Absent: one agent does each of them. */
  readonly taskPlaybook?: TaskPlaybook & Pick<JobApproach, 'from'>
  /** Shell commands run on the exact tree that would land. Having none is reported, never taken as passed. */
  readonly checks: readonly string[]
  /** Shell commands run once in every new tree. This field and those below are absent in jobs created before them. */
  readonly setup?: readonly string[]
  /** Files of the person's checkout that are copied into every tree. */
  readonly copy?: readonly string[]
  readonly mode?: LandingMode
  /** What to do if the base fails its checks. */
  readonly failingBase?: FailingBaseChoice
  /** The agent that reviews the work on every task; absent if there are no reviews. */
  readonly reviewer?: string
  /** The playbook in which it does so, for tasks that follow no other; absent if there are no reviews. */
  readonly reviews?: TaskPlaybook
  /** Whether learnings may be appended to the goal. */
  readonly learnings?: boolean
  readonly taskList?: TaskListPlace
  /** How many sessions of a role may run at once, in jobs created before `roles` existed. */
  readonly roleLimits?: Readonly<Record<string, number>>
  /** Which agents and models may take each role; a role without a binding has no limit. */
  readonly roles?: RoleBindings
  /** Absent in jobs created before this field existed. */
  readonly sandbox?: SandboxChoice
  readonly limits: JobLimits
  /** Given if the job started from uncommitted changes; `baseCommit` is then a commit of them on top of `head`. */
  readonly snapshot?: BaseSnapshot
  /** Installed programs that would have been chosen if they had been ready, first choice first; absent if none. */
  readonly passedOver?: readonly PassedOver[]
  /** Installed programs that the configuration doesn't list as agents; absent if there are none. */
  readonly unlisted?: readonly string[]
  /** Agents that weren't ready when the job was planned, and get no role of a playbook for its tasks; absent if none. */
  readonly unready?: readonly string[]
}

/** The goal is the job's only task, and a run of this playbook works on it. */
export type JobApproach = {
  readonly type: 'run'
  /** Names the playbook as it was when the job was started. */
  readonly playbook: { readonly name: string; readonly hash: string }
  /** Absent if it came with Muster: a repository can have one of the same name. `request`: it was sent with the goal. */
  readonly from?: 'repository' | 'person' | 'request'
  readonly inputs: RunInputs
  /** Who takes each of its roles. */
  readonly cast: Cast
  /** What the person should know about that; absent if there is nothing. */
  readonly notes?: readonly string[]
  /** The playbooks that its stages can follow; absent if there are none. */
  readonly children?: ChildPlaybooks
  /** The run of another job that it continues from. */
  readonly origin?: RunOrigin
}

export type BaseSnapshot = {
  readonly head: string
  readonly fileCount: number
  /** The first of them. */
  readonly files: readonly string[]
}

/** A commit of the base branch that could not be merged into the working branch, and why. */
export type MovedBase = { readonly commit: string; readonly problem: string }

/** The `baseBranch` of a job that started from a detached HEAD. Git refuses to create a branch of this name. */
export const DETACHED = 'HEAD'

/** A goal pursued in cycles until it is done, reaches a limit, or is cancelled. */
export type Job = {
  readonly id: JobId
  readonly projectId: ProjectId
  readonly userId: string
  readonly repositoryPath: string
  readonly baseBranch: string
  readonly baseCommit: string
  readonly workingBranch: string
  /** The current goal; a newer one waits, as a document, for the next discovery. */
  readonly requestDocument: string
  /** TASKLIST.md as last generated from the rows. */
  readonly taskList: string
  /** What the person wants done, in their own words; current like the goal. */
  readonly requestedTasks: string
  /** Where the base branch has moved to, while that commit can't be merged. */
  readonly movedBase?: MovedBase
  /** What is known of the base; absent if it isn't checked. */
  readonly base?: BaseState
  readonly plan: JobPlan
  readonly state: JobState
  readonly currentCycle: number
  /** Running time before `runningSince`; pauses don't count toward the time limit. */
  readonly activeMs: number
  readonly runningSince?: Date
  /** The last budget notice sent to the person: each is sent once. */
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

/** How long a job has been running, without pauses. */
export function activeMsOf(job: Pick<Job, 'activeMs' | 'runningSince'>, now: Date): number {
  if (job.runningSince === undefined) return job.activeMs
  return job.activeMs + Math.max(0, now.getTime() - job.runningSince.getTime())
}

/** How long an attempt that starts now may run: its own limit, or what its job has left if that is less. */
export function attemptTimeMs(job: Job, now: Date): number {
  const { attemptMinutes, timeLimitMinutes } = job.plan.limits
  const own = attemptMinutes * 60_000
  if (timeLimitMinutes === undefined) return own
  return Math.min(own, Math.max(0, timeLimitMinutes * 60_000 - activeMsOf(job, now)))
}
