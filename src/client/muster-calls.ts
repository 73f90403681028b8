import { receivedEventPageSchema } from '../contract/event.ts'
import type { WirePersonMessageRequest } from '../contract/message.ts'
import * as approvals from '../contract/routes/approval-routes.ts'
import * as daemon from '../contract/routes/daemon-routes.ts'
import * as documents from '../contract/routes/job-document-routes.ts'
import * as jobs from '../contract/routes/job-routes.ts'
import * as messages from '../contract/routes/message-routes.ts'
import * as records from '../contract/routes/record-routes.ts'
import * as reports from '../contract/routes/report-routes.ts'
import * as sessions from '../contract/routes/session-routes.ts'
import type { WireOpenSessionRequest, WireSessionQuestion } from '../contract/session-requests.ts'
import type { WireStartJobRequest } from '../contract/start-job-request.ts'
import type { Call } from './call-route.ts'
import type { CallOptions, RouteQuery } from './route-input.ts'

type Listing<Route> = CallOptions & RouteQuery<Route>
type KeyedOptions = CallOptions & { readonly idempotencyKey?: string | undefined }

export type PageOptions = Listing<typeof records.listProjectsRoute>
export type JobOptions = Listing<typeof jobs.listJobsRoute>
export type DocumentOptions = Listing<typeof documents.listDocumentsRoute>
export type EventOptions = Listing<typeof jobs.listEventsRoute>
export type TranscriptOptions = Listing<typeof sessions.listSessionEventsRoute>
export type OfJobOptions = Listing<typeof records.listTasksRoute>
export type LandingOptions = Listing<typeof records.listLandingsRoute>
export type ReportOptions = Listing<typeof reports.listReportsRoute>
export type ApprovalOptions = Listing<typeof approvals.listApprovalsRoute>
export type MessageOptions = Listing<typeof messages.listMessagesRoute>
export type SessionOptions = Omit<Listing<typeof sessions.listSessionsRoute>, 'resumable'> & {
  /** Only sessions whose conversation can be resumed. */
  readonly resumable?: boolean | undefined
}
type ProviderOptions = CallOptions & { readonly models?: boolean | undefined }
/** With its digest, a decision applies to the very action that was looked at, and to nothing else. */
type DecisionOptions = CallOptions & { readonly digest?: string | undefined }
type ReasonOptions = CallOptions & { readonly reason?: string | undefined }

/** Importing a large repository takes minutes. */
const IMPORT_TIMEOUT_MS = 10 * 60_000
/** Git is asked about every commit of a report, and a merge imports the repository. */
const GIT_TIMEOUT_MS = 5 * 60_000
/** Every agent program is started once to ask for its models. */
const PROVIDERS_TIMEOUT_MS = 90_000

const flag = (isSet: boolean | undefined) => (isSet === true ? ('true' as const) : undefined)

export function jobCalls(call: Call) {
  return {
    startJob: (request: WireStartJobRequest, options?: KeyedOptions) =>
      call(jobs.startJobRoute, { body: request, ...options, timeoutMs: IMPORT_TIMEOUT_MS }),
    /** Everyone's jobs unless a user is named. */
    listJobs: ({ signal, ...query }: JobOptions = {}) => call(jobs.listJobsRoute, { query, signal }),
    getJob: (id: string, options?: CallOptions) => call(jobs.getJobRoute, { params: { id }, ...options }),
    /** Starts a job that was created with autoStart false. */
    beginJob: (id: string, options?: CallOptions) => call(jobs.beginJobRoute, { params: { id }, ...options }),
    pauseJob: (id: string, options?: CallOptions) => call(jobs.pauseJobRoute, { params: { id }, ...options }),
    resumeJob: (id: string, options?: CallOptions) =>
      call(jobs.resumeJobRoute, { params: { id }, ...options }),
    cancelJob: (id: string, { signal, ...body }: ReasonOptions = {}) =>
      call(jobs.cancelJobRoute, { params: { id }, body, signal }),
    /** The next cycle starts with it. */
    editGoal: (id: string, requestDocument: string, options?: CallOptions) =>
      call(documents.editGoalRoute, { params: { id }, body: { requestDocument }, ...options }),
    editTaskList: (id: string, taskList: string, options?: CallOptions) =>
      call(documents.editTaskListRoute, { params: { id }, body: { taskList }, ...options }),
    /** Newest first. */
    listDocuments: (id: string, { signal, ...query }: DocumentOptions = {}) =>
      call(documents.listDocumentsRoute, { params: { id }, query, signal }),
    listCycles: (id: string, { signal, ...query }: PageOptions = {}) =>
      call(jobs.listCyclesRoute, { params: { id }, query, signal }),
    getCycle: (id: string, num: number, options?: CallOptions) =>
      call(jobs.getCycleRoute, { params: { id, num }, ...options }),
    listEvents: (id: string, { signal, ...query }: EventOptions = {}) =>
      call(jobs.listEventsRoute, { params: { id }, query, signal }, receivedEventPageSchema),
  }
}

export function recordCalls(call: Call) {
  const timeoutMs = GIT_TIMEOUT_MS
  return {
    listProjects: ({ signal, ...query }: PageOptions = {}) =>
      call(records.listProjectsRoute, { query, signal }),
    listTasks: ({ signal, ...query }: OfJobOptions = {}) => call(records.listTasksRoute, { query, signal }),
    getTask: (id: string, options?: CallOptions) =>
      call(records.getTaskRoute, { params: { id }, ...options }),
    listLandings: ({ signal, ...query }: LandingOptions) =>
      call(records.listLandingsRoute, { query, signal }),
    listReports: ({ signal, ...query }: ReportOptions = {}) =>
      call(reports.listReportsRoute, { query, signal, timeoutMs }),
    getTaskDiff: (id: string, options?: CallOptions) =>
      call(reports.getTaskDiffRoute, { params: { id }, ...options, timeoutMs }),
    getApprovalDiff: (id: string, options?: CallOptions) =>
      call(reports.getApprovalDiffRoute, { params: { id }, ...options, timeoutMs }),
    getJobDiff: (id: string, options?: CallOptions) =>
      call(reports.getJobDiffRoute, { params: { id }, ...options, timeoutMs }),
    /** Starts merging a job's work into its base branch. Calling it again returns the same merge. */
    mergeJob: (id: string, options?: CallOptions) =>
      call(reports.mergeJobRoute, { params: { id }, ...options, timeoutMs }),
    getMerge: (id: string, options?: CallOptions) =>
      call(reports.getMergeRoute, { params: { id }, ...options, timeoutMs }),
  }
}

export function sessionCalls(call: Call) {
  const timeoutMs = IMPORT_TIMEOUT_MS
  return {
    listSessions: ({ signal, resumable, ...query }: SessionOptions = {}) =>
      call(sessions.listSessionsRoute, { query: { ...query, resumable: flag(resumable) }, signal }),
    getSession: (id: string, options?: CallOptions) =>
      call(sessions.getSessionRoute, { params: { id }, ...options }),
    listSessionEvents: (id: string, { signal, ...query }: TranscriptOptions = {}) =>
      call(sessions.listSessionEventsRoute, { params: { id }, query, signal }, receivedEventPageSchema),
    openSession: (request: WireOpenSessionRequest, options?: CallOptions) =>
      call(sessions.openSessionRoute, { body: request, ...options, timeoutMs }),
    /** Returns the session that asks. When it has ended, the text of its turn is the answer. */
    askSession: (question: WireSessionQuestion, options?: CallOptions) =>
      call(sessions.askSessionRoute, { body: question, ...options, timeoutMs }),
    stopSession: (
      id: string,
      { signal, ...body }: ReasonOptions & { readonly force?: boolean | undefined } = {},
    ) => call(sessions.stopSessionRoute, { params: { id }, body, signal }),
    suspendSession: (id: string, { signal, ...body }: ReasonOptions = {}) =>
      call(sessions.suspendSessionRoute, { params: { id }, body, signal }),
    resumeSession: (
      id: string,
      { signal, ...body }: CallOptions & { readonly prompt?: string | undefined } = {},
    ) => call(sessions.resumeSessionRoute, { params: { id }, body, signal }),
    interruptSession: (id: string, options?: CallOptions) =>
      call(sessions.interruptSessionRoute, { params: { id }, ...options }),
    say: (id: string, text: string, options?: CallOptions) =>
      call(sessions.saySessionRoute, { params: { id }, body: { text }, ...options }),
  }
}

export function approvalCalls(call: Call) {
  return {
    listApprovals: ({ signal, ...query }: ApprovalOptions = {}) =>
      call(approvals.listApprovalsRoute, { query, signal }),
    getApproval: (id: string, options?: CallOptions) =>
      call(approvals.getApprovalRoute, { params: { id }, ...options }),
    allowApproval: (id: string, { signal, ...body }: DecisionOptions = {}) =>
      call(approvals.allowApprovalRoute, { params: { id }, body, signal }),
    denyApproval: (id: string, { signal, ...body }: DecisionOptions & ReasonOptions = {}) =>
      call(approvals.denyApprovalRoute, { params: { id }, body, signal }),
  }
}

export function messageCalls(call: Call) {
  return {
    listMessages: ({ signal, ...query }: MessageOptions = {}) =>
      call(messages.listMessagesRoute, { query, signal }),
    /** With `inReplyTo` it answers a question. */
    sendMessage: (request: WirePersonMessageRequest, options?: KeyedOptions) =>
      call(messages.sendMessageRoute, { body: request, ...options }),
    acknowledgeMessage: (id: string, options?: CallOptions) =>
      call(messages.acknowledgeMessageRoute, { params: { id }, ...options }),
  }
}

export function daemonCalls(call: Call) {
  return {
    listAgents: (repositoryPath: string, options?: CallOptions) =>
      call(daemon.listAgentsRoute, { query: { repositoryPath }, ...options }),
    /** With `models` every program is asked what it offers, which takes some seconds. */
    listProviders: ({ signal, models }: ProviderOptions = {}) =>
      call(daemon.listProvidersRoute, {
        query: { models: flag(models) },
        signal,
        timeoutMs: PROVIDERS_TIMEOUT_MS,
      }),
    health: (options: CallOptions = {}) => call(daemon.getHealthRoute, options),
    ready: (options: CallOptions = {}) => call(daemon.getReadyRoute, options),
    status: (options: CallOptions = {}) => call(daemon.getStatusRoute, options),
    shutdown: (options: CallOptions = {}) => call(daemon.shutdownRoute, options),
  }
}
