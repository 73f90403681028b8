import type { WireBackupRequest } from '../contract/backup.ts'
import type { WireBaseDecision } from '../contract/base.ts'
import type { WireCleanRequest, WireDeleteJobRequest, WireRestoreRequest } from '../contract/cleanup.ts'
import { receivedEventPageSchema } from '../contract/event.ts'
import type { WirePersonMessageRequest } from '../contract/message.ts'
import * as approvals from '../contract/routes/approval-routes.ts'
import * as audit from '../contract/routes/audit-routes.ts'
import * as backups from '../contract/routes/backup-routes.ts'
import * as cleanups from '../contract/routes/cleanup-routes.ts'
import * as daemon from '../contract/routes/daemon-routes.ts'
import * as documents from '../contract/routes/job-document-routes.ts'
import * as jobs from '../contract/routes/job-routes.ts'
import * as messages from '../contract/routes/message-routes.ts'
import * as records from '../contract/routes/record-routes.ts'
import * as reports from '../contract/routes/report-routes.ts'
import * as sessions from '../contract/routes/session-routes.ts'
import * as trust from '../contract/routes/trust-routes.ts'
import type { WireOpenSessionRequest, WireSessionQuestion } from '../contract/session-requests.ts'
import type { WireStartJobRequest } from '../contract/start-job-request.ts'
import type { DecisionScope } from '../domain/approval/approval-rule.ts'
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
export type NameOptions = Listing<typeof records.findNamesRoute>
export type LandingOptions = Listing<typeof records.listLandingsRoute>
export type ReportOptions = Listing<typeof reports.listReportsRoute>
export type AuditOptions = Listing<typeof audit.listAuditRoute>
export type ApprovalOptions = Listing<typeof approvals.listApprovalsRoute>
export type ApprovalRuleOptions = Listing<typeof approvals.listApprovalRulesRoute>
export type MessageOptions = Listing<typeof messages.listMessagesRoute>
export type SessionOptions = Omit<Listing<typeof sessions.listSessionsRoute>, 'resumable' | 'askable'> & {
  /** Only sessions that can be resumed now. */
  readonly resumable?: boolean | undefined
  /** Only sessions that can be asked a question now. */
  readonly askable?: boolean | undefined
}
type AgentOptions = CallOptions & { readonly usability?: boolean | undefined }
type ProviderOptions = CallOptions & { readonly models?: boolean | undefined }
/** With the digest, a decision applies only to the exact action that the person saw. */
type DecisionOptions = CallOptions & { readonly digest?: string | undefined }
type JobDiffOptions = CallOptions & { readonly withTaskList?: boolean | undefined }
type MergeOptions = CallOptions & {
  readonly withTaskList?: boolean | undefined
  readonly withUncommitted?: boolean | undefined
  readonly squash?: boolean | undefined
}
export type PinnedOptions = Omit<Listing<typeof cleanups.listPinnedRoute>, 'all'> & {
  readonly all?: boolean | undefined
}
type RestoreOptions = CallOptions & WireRestoreRequest
type DeleteOptions = CallOptions & WireDeleteJobRequest
type CleanOptions = CallOptions & WireCleanRequest
type ScopeOptions = { readonly scope?: DecisionScope | undefined }
type ReasonOptions = CallOptions & { readonly reason?: string | undefined }

/** Importing a large repository takes minutes. */
const IMPORT_TIMEOUT_MS = 10 * 60_000
/** A report runs git for every commit, and a merge imports the repository. */
const GIT_TIMEOUT_MS = 5 * 60_000
/** The daemon starts every agent program once to ask for its models, or an empty one in its sandbox. */
const PROVIDERS_TIMEOUT_MS = 90_000
/** Compacting a large repository takes as long as git takes to pack it. */
const GARBAGE_TIMEOUT_MS = 40 * 60_000
/** A check reads every audit row. */
const AUDIT_TIMEOUT_MS = 5 * 60_000

const flag = (isSet: boolean | undefined) => (isSet === true ? ('true' as const) : undefined)

export function jobCalls(call: Call) {
  return {
    startJob: (request: WireStartJobRequest, options?: KeyedOptions) =>
      call(jobs.startJobRoute, { body: request, ...options, timeoutMs: IMPORT_TIMEOUT_MS }),
    /** Lists everyone's jobs unless a user is named. */
    listJobs: ({ signal, ...query }: JobOptions = {}) => call(jobs.listJobsRoute, { query, signal }),
    getJob: (id: string, options?: CallOptions) => call(jobs.getJobRoute, { params: { id }, ...options }),
    /** Starts a job that was created with `autoStart: false`. */
    beginJob: (id: string, options?: CallOptions) => call(jobs.beginJobRoute, { params: { id }, ...options }),
    pauseJob: (id: string, options?: CallOptions) => call(jobs.pauseJobRoute, { params: { id }, ...options }),
    resumeJob: (id: string, options?: CallOptions) =>
      call(jobs.resumeJobRoute, { params: { id }, ...options }),
    getBase: (id: string, options?: CallOptions) => call(jobs.getBaseRoute, { params: { id }, ...options }),
    decideBase: (id: string, decision: WireBaseDecision, options?: CallOptions) =>
      call(jobs.decideBaseRoute, { params: { id }, body: { decision }, ...options }),
    cancelJob: (id: string, { signal, ...body }: ReasonOptions = {}) =>
      call(jobs.cancelJobRoute, { params: { id }, body, signal }),
    /** The next cycle uses the new goal. */
    editGoal: (id: string, requestDocument: string, options?: CallOptions) =>
      call(documents.editGoalRoute, { params: { id }, body: { requestDocument }, ...options }),
    editTaskList: (id: string, requestedTasks: string, options?: CallOptions) =>
      call(documents.editTaskListRoute, { params: { id }, body: { requestedTasks }, ...options }),
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
    /** Records by what people call them. Without a text, only how short an id may be. */
    findNames: ({ signal, ...query }: NameOptions = {}) => call(records.findNamesRoute, { query, signal }),
    listTasks: ({ signal, ...query }: OfJobOptions = {}) => call(records.listTasksRoute, { query, signal }),
    getTask: (id: string, options?: CallOptions) =>
      call(records.getTaskRoute, { params: { id }, ...options }),
    listLandings: ({ signal, ...query }: LandingOptions) =>
      call(records.listLandingsRoute, { query, signal }),
    listReports: ({ signal, ...query }: ReportOptions = {}) =>
      call(reports.listReportsRoute, { query, signal, timeoutMs }),
    getTaskDiff: (id: string, options?: CallOptions) =>
      call(reports.getTaskDiffRoute, { params: { id }, ...options, timeoutMs }),
    getSessionDiff: (id: string, options?: CallOptions) =>
      call(reports.getSessionDiffRoute, { params: { id }, ...options, timeoutMs }),
    getApprovalDiff: (id: string, options?: CallOptions) =>
      call(reports.getApprovalDiffRoute, { params: { id }, ...options, timeoutMs }),
    /** Everything a job has landed. The task list, which a merge leaves out, is there only on request. */
    getJobDiff: (id: string, { signal, withTaskList }: JobDiffOptions = {}) =>
      call(reports.getJobDiffRoute, {
        params: { id },
        query: { withTaskList: flag(withTaskList) },
        signal,
        timeoutMs,
      }),
    /** Starts merging a job's work into its base branch. Calling it again returns the same merge. */
    mergeJob: (id: string, { signal, ...body }: MergeOptions = {}) =>
      call(reports.mergeJobRoute, { params: { id }, body, signal, timeoutMs }),
    getMerge: (id: string, options?: CallOptions) =>
      call(reports.getMergeRoute, { params: { id }, ...options, timeoutMs }),
    /** Shows what a pull request would contain. */
    getPullRequest: (id: string, options?: CallOptions) =>
      call(reports.getPullRequestRoute, { params: { id }, ...options, timeoutMs }),
    /** Prepares a pull request. Pushing and opening it is up to the caller. */
    preparePullRequest: (id: string, { signal, ...body }: Omit<MergeOptions, 'squash'> = {}) =>
      call(reports.preparePullRequestRoute, { params: { id }, body, signal, timeoutMs }),
  }
}

export function sessionCalls(call: Call) {
  const timeoutMs = IMPORT_TIMEOUT_MS
  return {
    listSessions: ({ signal, resumable, askable, ...query }: SessionOptions = {}) =>
      call(sessions.listSessionsRoute, {
        query: { ...query, resumable: flag(resumable), askable: flag(askable) },
        signal,
      }),
    getSession: (id: string, options?: CallOptions) =>
      call(sessions.getSessionRoute, { params: { id }, ...options }),
    listSessionEvents: (id: string, { signal, ...query }: TranscriptOptions = {}) =>
      call(sessions.listSessionEventsRoute, { params: { id }, query, signal }, receivedEventPageSchema),
    openSession: (request: WireOpenSessionRequest, options?: CallOptions) =>
      call(sessions.openSessionRoute, { body: request, ...options, timeoutMs }),
    /** Returns the session that asks the question. When it has ended, the text of its turn is the answer. */
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
    /** With a scope, allows more than this one action; `scopes` of the approval says what. */
    allowApproval: (id: string, { signal, ...body }: DecisionOptions & ScopeOptions = {}) =>
      call(approvals.allowApprovalRoute, { params: { id }, body, signal }),
    denyApproval: (
      id: string,
      { signal, ...body }: DecisionOptions & ReasonOptions & { readonly abort?: boolean | undefined } = {},
    ) => call(approvals.denyApprovalRoute, { params: { id }, body, signal }),
    listApprovalRules: ({ signal, ...query }: ApprovalRuleOptions = {}) =>
      call(approvals.listApprovalRulesRoute, { query, signal }),
    revokeApprovalRule: (id: string, options?: CallOptions) =>
      call(approvals.revokeApprovalRuleRoute, { params: { id }, ...options }),
  }
}

export function messageCalls(call: Call) {
  return {
    listMessages: ({ signal, ...query }: MessageOptions = {}) =>
      call(messages.listMessagesRoute, { query, signal }),
    /** With its whole text. */
    getMessage: (id: string, options?: CallOptions) =>
      call(messages.getMessageRoute, { params: { id }, ...options }),
    /** With `inReplyTo`, the message answers a question. */
    sendMessage: (request: WirePersonMessageRequest, options?: KeyedOptions) =>
      call(messages.sendMessageRoute, { body: request, ...options }),
    acknowledgeMessage: (id: string, options?: CallOptions) =>
      call(messages.acknowledgeMessageRoute, { params: { id }, ...options }),
  }
}

export function trustCalls(call: Call) {
  return {
    listTrusted: (options: CallOptions = {}) => call(trust.listTrustedRoute, options),
    /** The parts of a repository's configuration that need the person's trust. */
    getTrust: (repositoryPath: string, options?: CallOptions) =>
      call(trust.getTrustRoute, { query: { repositoryPath }, ...options }),
    /** Trusts the parts with this digest; fails if the file has changed since they were shown. */
    trustConfiguration: (repositoryPath: string, digest: string, options?: CallOptions) =>
      call(trust.trustRoute, { body: { repositoryPath, digest }, ...options }),
    revokeTrust: (repositoryPath: string, options?: CallOptions) =>
      call(trust.revokeTrustRoute, { body: { repositoryPath }, ...options }),
  }
}

export function daemonCalls(call: Call) {
  return {
    /** With `usability`, the daemon asks the configured agents whether they can work, and tries their sandbox. */
    listAgents: (repositoryPath: string, { signal, usability }: AgentOptions = {}) =>
      call(daemon.listAgentsRoute, {
        query: { repositoryPath, usability: flag(usability) },
        signal,
        ...(usability === true ? { timeoutMs: PROVIDERS_TIMEOUT_MS } : {}),
      }),
    /** With `models`, the daemon asks every program for its models, which takes some seconds. */
    listProviders: ({ signal, models }: ProviderOptions = {}) =>
      call(daemon.listProvidersRoute, {
        query: { models: flag(models) },
        signal,
        timeoutMs: PROVIDERS_TIMEOUT_MS,
      }),
    health: (options: CallOptions = {}) => call(daemon.getHealthRoute, options),
    ready: (options: CallOptions = {}) => call(daemon.getReadyRoute, options),
    status: (options: CallOptions = {}) => call(daemon.getStatusRoute, options),
    /** Measures the home and checks every repository in it. */
    storage: (options: CallOptions = {}) =>
      call(daemon.getStorageRoute, { ...options, timeoutMs: GIT_TIMEOUT_MS }),
    /** What the daemon was started with. */
    environment: (options: CallOptions = {}) => call(daemon.getEnvironmentRoute, options),
    shutdown: (options: CallOptions = {}) => call(daemon.shutdownRoute, options),
  }
}

export function cleanupCalls(call: Call) {
  const timeoutMs = GIT_TIMEOUT_MS
  return {
    /** Work that did not land, newest first; with `all`, also work that is not missing. */
    listPinned: ({ signal, all, ...query }: PinnedOptions = {}) =>
      call(cleanups.listPinnedRoute, { query: { ...query, all: flag(all) }, signal, timeoutMs }),
    restorePinned: (id: string, { signal, ...body }: RestoreOptions = {}) =>
      call(cleanups.restorePinnedRoute, { params: { id }, body, signal, timeoutMs }),
    deleteJob: (id: string, { signal, ...body }: DeleteOptions = {}) =>
      call(cleanups.deleteJobRoute, { params: { id }, body, signal, timeoutMs }),
    clean: ({ signal, ...body }: CleanOptions = {}) =>
      call(cleanups.cleanRoute, { body, signal, timeoutMs: IMPORT_TIMEOUT_MS }),
    collectGarbage: ({ signal, ...body }: CallOptions & { readonly dryRun?: boolean | undefined } = {}) =>
      call(cleanups.collectGarbageRoute, { body, signal, timeoutMs: GARBAGE_TIMEOUT_MS }),
  }
}

export function backupCalls(call: Call) {
  return {
    /** Returns when the backup has started. `getBackup` tells how it goes. */
    startBackup: (request: WireBackupRequest, options: CallOptions = {}) =>
      call(backups.startBackupRoute, { body: request, ...options }),
    getBackup: (options: CallOptions = {}) => call(backups.getBackupRoute, options),
  }
}

export function auditCalls(call: Call) {
  const timeoutMs = AUDIT_TIMEOUT_MS
  return {
    /** The newest rows, or the rows after `after`; oldest first. */
    listAudit: ({ signal, ...query }: AuditOptions = {}) => call(audit.listAuditRoute, { query, signal }),
    verifyAudit: (options: CallOptions = {}) => call(audit.verifyAuditRoute, { ...options, timeoutMs }),
    acceptAudit: (options: CallOptions = {}) => call(audit.acceptAuditRoute, { ...options, timeoutMs }),
  }
}
