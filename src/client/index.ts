export type { WireAgent, WireAgentList, WireListedAgent } from '../contract/agent.ts'
export type { WireApproval, WireApprovalRule } from '../contract/approval.ts'
export type { WireAttempt } from '../contract/attempt.ts'
export type { WireAuditBreak, WireAuditCheck, WireAuditRow } from '../contract/audit.ts'
export type { WireBackup, WireBackupRequest } from '../contract/backup.ts'
export type { WireBase, WireBaseDecision } from '../contract/base.ts'
export type {
  WireCleaned,
  WireDeletedJob,
  WireGarbage,
  WirePinnedWork,
  WireRestoredWork,
} from '../contract/cleanup.ts'
export type { WireCycle, WireCycleDetail } from '../contract/cycle.ts'
export type { DaemonStatus, WireHealth, WireStatus } from '../contract/daemon-status.ts'
export type { WireDiff } from '../contract/diff.ts'
export type { Page } from '../contract/envelope.ts'
export type { WireEnvironment } from '../contract/environment.ts'
export type { WireEvent, WireEventPage, WireFeedEvent } from '../contract/event.ts'
export type { WirePlaybookForecast } from '../contract/forecast.ts'
export type { WireJob, WireJobStatus, WireJobSummary } from '../contract/job.ts'
export type { WireDocumentKind, WireJobDocument } from '../contract/job-document.ts'
export type { WireCheckResult, WireLanding } from '../contract/landing.ts'
export type { WireMerge } from '../contract/merge.ts'
export type { WireMessage } from '../contract/message.ts'
export type { WireNamedRecord, WireNames } from '../contract/name.ts'
export type { WirePlaybook, WirePlaybookView, WireValidPlaybook } from '../contract/playbook.ts'
export type { WireProject } from '../contract/project.ts'
export type { WireProvider } from '../contract/provider.ts'
export type { WirePullRequest } from '../contract/pull-request.ts'
export type {
  WireReport,
  WireReportAttempt,
  WireReportCost,
  WireReportLanding,
  WireReportList,
  WireReportTask,
} from '../contract/report.ts'
export type { WireForkRequest, WireRun, WireStoppedRun } from '../contract/run.ts'
export type { WireRunComparison } from '../contract/run-comparison.ts'
export type { WireRunResult } from '../contract/run-summary.ts'
export type { WireSession, WireSuspension } from '../contract/session.ts'
export type { WireEnding, WireSessionEnd, WireTurnOutcome } from '../contract/session-end.ts'
export type { WireOpenSessionRequest, WireSessionQuestion } from '../contract/session-requests.ts'
export type { WireStartJobRequest } from '../contract/start-job-request.ts'
export type { WireDiskUse, WireStorage } from '../contract/storage.ts'
export type { WireTask, WireTaskDetail, WireTaskStatus } from '../contract/task.ts'
export type { WireTrust } from '../contract/trust.ts'
export type { WireStartWait, WireWaiting } from '../contract/waiting.ts'
export type { Result } from '../domain/result.ts'
export { type ApiError, FollowError } from './api-error.ts'
export type { Fetch } from './call-route.ts'
export { type ConnectOptions, connect, type MusterClient } from './connect.ts'
export type { FollowAllOptions, FollowJobOptions, FollowSessionOptions } from './follow.ts'
export type {
  ApprovalOptions,
  ApprovalRuleOptions,
  AuditOptions,
  DocumentOptions,
  EventOptions,
  JobOptions,
  LandingOptions,
  MessageOptions,
  NameOptions,
  OfJobOptions,
  PageOptions,
  ReportOptions,
  SessionOptions,
  TranscriptOptions,
} from './muster-calls.ts'
export type { CallOptions } from './route-input.ts'
