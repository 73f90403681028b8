import type { JobId, RunId } from '../../domain/id.ts'
import type { BaseDecision, FailingBaseChoice } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import type { DocumentFailure, DocumentKind } from '../../domain/job/job-document.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import type { PlaybookEdit } from '../../domain/playbook/edit-playbook.ts'
import type { Scalar } from '../../domain/playbook/stage.ts'
import type { Result } from '../../domain/result.ts'
import type { ForkFailure } from '../../domain/run/fork-failure.ts'
import type { Run } from '../../domain/run/run.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { Merge, MergeFailure } from '../landing/merge/merge.ts'
import type { MergeOptions } from '../landing/merge/prepared-merge.ts'
import type { Proposal, ProposalFailure } from '../landing/proposal/prepare-proposal.ts'

/** A playbook by its name, or with the texts of its files. */
export type PlaybookRequest = {
  readonly inputs: Readonly<Record<string, Scalar>>
  /** The agent that takes every role, unless `agents` names another one for it. */
  readonly agent?: string | undefined
  /** The agents that take roles, by the names of the roles. */
  readonly agents?: Readonly<Record<string, string>> | undefined
} & ({ readonly name: string } | { readonly files: Readonly<Record<string, string>> })

export type StartJobRequest = {
  readonly repositoryPath: string
  readonly requestDocument: string
  readonly baseBranch?: string
  readonly workingBranch?: string
  readonly initialTaskList?: string
  /** The playbook that works on the goal, without a planner. Absent: a planner divides it into tasks. */
  readonly playbook?: PlaybookRequest
  /** The playbook that works on each of the planner's tasks that names no other. */
  readonly taskPlaybook?: PlaybookRequest
  readonly maxCycles?: number
  readonly timeLimitMinutes?: number
  readonly maxParallelTasks?: number
  readonly agent?: string
  readonly planner?: string
  /** Providers whose programs must not be passed over. */
  readonly neverSkip?: readonly string[]
  readonly checks?: readonly string[]
  readonly budgetUsd?: number
  readonly mode?: LandingMode
  /** Whether the job starts from the files of the checkout as they are, instead of from its last commit. */
  readonly includeUncommitted?: boolean
  /** What to do if the base fails its checks. */
  readonly failingBase?: FailingBaseChoice
  /** The job's owner; by default the person who runs the daemon. */
  readonly user?: string
  readonly autoStart: boolean
}

export type JobControlFailure = { readonly type: 'job-not-found'; readonly jobId: string } | IllegalTransition

export type ForkRequest = PlaybookEdit & {
  /** The number of a visit, or the name of its stage, of which the latest is meant. */
  readonly at: string
}

export type RunNotFound = { readonly type: 'not-found'; readonly what: 'run'; readonly id: string }
export type ContinueFailure = StartJobFailure | ForkFailure | RunNotFound

export type StopRunOptions = {
  readonly reason?: string | undefined
  /** Whether its programs are killed without being asked to exit. */
  readonly isForced: boolean
}

/** A run that a person stopped. */
export type StoppedRun = {
  readonly run: Run
  readonly job: Job
  /** What ended with it: its job, which did nothing else; its task; or only the stage that waited for it. */
  readonly ended: 'job' | 'task' | 'stage' | 'nothing'
  /** How many of its programs were still at work. */
  readonly programs: number
}
export type ResumeRunFailure = ContinueFailure | JobControlFailure

export type BaseDecisionFailure =
  | JobControlFailure
  /** `base`: what the job knows about its base, or that it has ended. */
  | { readonly type: 'base-not-asked'; readonly jobId: string; readonly base: string }
  | { readonly type: 'base-setup-fails'; readonly jobId: string; readonly command: string }

export type EditJobFailure = DocumentFailure | JobControlFailure

/** What a person can do with jobs. Each command is a use case of this folder, bound to its needs. */
export interface JobCommands {
  start(request: StartJobRequest, idempotencyKey?: string): Promise<Result<Job, StartJobFailure>>
  /** Starts a job that was created with autoStart false. */
  startPending(jobId: JobId): Promise<Result<Job, JobControlFailure>>
  pause(jobId: JobId): Promise<Result<Job, JobControlFailure>>
  resume(jobId: JobId): Promise<Result<Job, JobControlFailure>>
  /** Starts a job whose run takes the visits of another run up to one of them, and does the rest anew. */
  forkRun(runId: RunId, request: ForkRequest, idempotencyKey?: string): Promise<Result<Job, ContinueFailure>>
  /** Continues a run that was paused or stopped, or that lost its agent. Returns the job that continues it. */
  resumeRun(runId: RunId, idempotencyKey?: string): Promise<Result<Job, ResumeRunFailure>>
  /** Ends a run. If its job only follows this playbook, cancels the job; otherwise gives up its task. */
  stopRun(runId: RunId, options: StopRunOptions): Promise<Result<StoppedRun, RunNotFound>>
  /** Decides what a job whose base fails does next. */
  decideBase(
    jobId: JobId,
    decision: BaseDecision | 'retry' | 'stop',
  ): Promise<Result<Job, BaseDecisionFailure>>
  cancel(jobId: JobId, reason?: string): Promise<Result<Job, JobControlFailure>>
  /** Changes the goal or the requested tasks, from the next cycle on. */
  edit(jobId: JobId, kind: DocumentKind, text: string): Promise<Result<Job, EditJobFailure>>
  /** Merges a job's work into its base branch, or starts to. */
  merge(jobId: JobId, options?: MergeOptions): Promise<Result<Merge, MergeFailure>>
  /** Prepares a job's work for a pull request, which the person pushes and opens. */
  propose(jobId: JobId, options?: MergeOptions): Promise<Result<Proposal, ProposalFailure>>
}
