import type { WireAgentList } from '../contract/agent.ts'
import type { WireCycle, WireCycleDetail } from '../contract/cycle.ts'
import type { WireHealth, WireStatus } from '../contract/daemon-status.ts'
import type { Page } from '../contract/envelope.ts'
import type { WireEvent, WireEventPage, WireFeedEvent } from '../contract/event.ts'
import type { WireJob, WireJobStatus, WireJobSummary } from '../contract/job.ts'
import type { WireDocumentKind, WireJobDocument } from '../contract/job-document.ts'
import type { WireLanding } from '../contract/landing.ts'
import type { WireProject } from '../contract/project.ts'
import type { WireProvider } from '../contract/provider.ts'
import type { WireStartJobRequest } from '../contract/start-job-request.ts'
import type { WireTask, WireTaskDetail } from '../contract/task.ts'
import type { Result } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'
import type { ApprovalCalls } from './approval-calls.ts'
import type { CallOptions } from './call-needs.ts'
import type { FollowAllOptions } from './follow-all.ts'
import type { FollowJobOptions } from './follow-job.ts'
import type { MessageCalls } from './message-calls.ts'
import type { ReportCalls } from './report-calls.ts'
import type { SessionCalls } from './session-calls.ts'

type Answer<Data> = Promise<Result<Data, ApiError>>

export type PageOptions = CallOptions & {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export type JobOptions = PageOptions & {
  readonly user?: string | undefined
  readonly status?: WireJobStatus | undefined
}

export type DocumentOptions = PageOptions & { readonly kind?: WireDocumentKind | undefined }

export type OfJobOptions = PageOptions & { readonly job?: string | undefined }

export type EventOptions = CallOptions & {
  readonly after?: number | undefined
  readonly limit?: number | undefined
  readonly task?: string | undefined
  readonly session?: string | undefined
  /** The last so many instead of a page. */
  readonly tail?: number | undefined
}

/**
 * The daemon's API. Contract: calls give a Result and never throw for what a daemon or a network does; every
 * call ends by itself after a time, or earlier by its signal. Those that follow throw FollowError when
 * going on cannot help, and end quietly by their signal.
 */
export interface MusterClient extends SessionCalls, ApprovalCalls, MessageCalls, ReportCalls {
  readonly url: string
  startJob(
    request: WireStartJobRequest,
    options?: CallOptions & { readonly idempotencyKey?: string | undefined },
  ): Answer<WireJob>
  /** Of everybody unless a user is named. */
  listJobs(options?: JobOptions): Answer<Page<WireJobSummary>>
  getJob(jobId: string, options?: CallOptions): Answer<WireJob>
  /** Starts a job that was made with autoStart false. */
  beginJob(jobId: string, options?: CallOptions): Answer<WireJob>
  pauseJob(jobId: string, options?: CallOptions): Answer<WireJob>
  resumeJob(jobId: string, options?: CallOptions): Answer<WireJob>
  cancelJob(jobId: string, options?: CallOptions & { readonly reason?: string | undefined }): Answer<WireJob>
  /** The next cycle begins with it. */
  editGoal(jobId: string, requestDocument: string, options?: CallOptions): Answer<WireJob>
  editTaskList(jobId: string, taskList: string, options?: CallOptions): Answer<WireJob>
  /** Newest first. */
  listDocuments(jobId: string, options?: DocumentOptions): Answer<Page<WireJobDocument>>
  listCycles(jobId: string, options?: PageOptions): Answer<Page<WireCycle>>
  getCycle(jobId: string, number: number, options?: CallOptions): Answer<WireCycleDetail>
  listEvents(jobId: string, options?: EventOptions): Answer<WireEventPage>
  follow(jobId: string, options?: FollowJobOptions): AsyncGenerator<WireEvent, void>
  followAll(options?: FollowAllOptions): AsyncGenerator<WireFeedEvent, void>
  listProjects(options?: PageOptions): Answer<Page<WireProject>>
  listTasks(options?: OfJobOptions): Answer<Page<WireTask>>
  getTask(taskId: string, options?: CallOptions): Answer<WireTaskDetail>
  listLandings(options: PageOptions & { readonly job: string }): Answer<Page<WireLanding>>
  listAgents(repositoryPath: string, options?: CallOptions): Answer<WireAgentList>
  /** With `models` every program is asked what it offers, which takes some seconds. */
  listProviders(options?: CallOptions & { readonly models?: boolean | undefined }): Answer<Page<WireProvider>>
  health(options?: CallOptions): Answer<WireHealth>
  ready(options?: CallOptions): Answer<{ readonly status: 'ready' }>
  status(options?: CallOptions): Answer<WireStatus>
  shutdown(options?: CallOptions): Answer<{ readonly status: 'stopping' }>
}
