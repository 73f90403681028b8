import type { JobId } from '../../domain/id.ts'
import type { DocumentFailure } from '../../domain/job/document-problem.ts'
import type { Job } from '../../domain/job/job.ts'
import type { DocumentKind } from '../../domain/job/job-document.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import type { Result } from '../../domain/result.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { Merge, MergeFailure } from '../landing/merge/merge.ts'

export type StartJobRequest = {
  readonly repositoryPath: string
  readonly requestDocument: string
  readonly baseBranch?: string
  readonly workingBranch?: string
  readonly initialTaskList?: string
  readonly maxCycles?: number
  readonly timeLimitMinutes?: number
  readonly maxParallelTasks?: number
  readonly agent?: string
  readonly planner?: string
  readonly checks?: readonly string[]
  readonly budgetUsd?: number
  readonly mode?: LandingMode
  /** Whose job it is; the person who runs the daemon unless told. */
  readonly user?: string
  readonly autoStart: boolean
}

export type JobControlFailure = { readonly type: 'job-not-found'; readonly jobId: string } | IllegalTransition

export type EditJobFailure = DocumentFailure | JobControlFailure

/** What a person can do with jobs; each is one use case of this folder, bound to its needs. */
export interface JobCommands {
  start(request: StartJobRequest, idempotencyKey?: string): Promise<Result<Job, StartJobFailure>>
  /** Starts a job that was made with autoStart false. */
  begin(jobId: JobId): Promise<Result<Job, JobControlFailure>>
  pause(jobId: JobId): Promise<Result<Job, JobControlFailure>>
  resume(jobId: JobId): Promise<Result<Job, JobControlFailure>>
  cancel(jobId: JobId, reason: string): Promise<Result<Job, JobControlFailure>>
  /** Changes the goal, or the tasks a person wants, from the next cycle on. */
  edit(jobId: JobId, kind: DocumentKind, text: string): Promise<Result<Job, EditJobFailure>>
  /** Brings a job's work into its base branch, or starts to. */
  merge(jobId: JobId): Promise<Result<Merge, MergeFailure>>
}
