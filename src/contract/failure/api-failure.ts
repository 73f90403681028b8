import type { BackupFailure } from '../../domain/backup/backup-state.ts'
import type { DeletionFailure, RecoveryFailure } from '../../domain/cleanup/cleanup-failure.ts'
import type { PlaybookStartFailure, StartJobFailure } from '../../domain/job/start-failure.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { DeliveryFailure, ImportFailure } from '../../domain/repository/repository-failure.ts'
import type { ForkFailure } from '../../domain/run/fork-failure.ts'
import type { IllegalTransition } from '../../domain/transition.ts'

/** A request rejected by the HTTP layer, before it reaches the engine. */
export type EdgeFailure =
  | { readonly type: 'unauthorized' }
  | { readonly type: 'forbidden-host' }
  | { readonly type: 'forbidden-origin' }
  | { readonly type: 'not-json' }
  | { readonly type: 'body-too-large'; readonly limit: number }
  | { readonly type: 'bad-request'; readonly issues: readonly RequestIssue[] }
  | { readonly type: 'not-found'; readonly what: string; readonly id: string; readonly jobId?: string }
  | { readonly type: 'store-unavailable'; readonly problem: string }
  | { readonly type: 'not-ready'; readonly problem: string }
  | { readonly type: 'too-many-connections'; readonly holder: 'agent' | 'stream' }
  | { readonly type: 'internal' }

export type RequestIssue = { readonly field: string; readonly problem: string }

/** Why a job cannot be started. */
export type StartFailure =
  | Exclude<StartJobFailure, ImportFailure | PlaybookStartFailure>
  /** The API accepts a remote repository in the request, but nothing supports it yet. */
  | { readonly type: 'repository-unsupported'; readonly repository: string }

/** Why parts of a configuration can't be trusted as they were shown. */
export type ChangedFailure = {
  readonly type: 'configuration-changed'
  readonly repositoryPath: string
  readonly digest: string
}

/** Why a job's state does not allow a command. */
export type ControlFailure = { readonly type: 'job-not-found'; readonly jobId: string } | IllegalTransition

/** Why nothing can be decided about a job's base. */
export type BaseFailure =
  | { readonly type: 'base-not-asked'; readonly jobId: string; readonly base: string }
  | { readonly type: 'base-setup-fails'; readonly jobId: string; readonly command: string }

/** Why a session cannot be opened, asked or sent a message. */
export type SessionFailure =
  | { readonly type: 'session-not-found'; readonly sessionId: string }
  | {
      readonly type: 'session-not-able'
      readonly sessionId: string
      readonly status: string
      readonly wanted: string
    }
  | { readonly type: 'session-not-spoken-to'; readonly sessionId: string; readonly provider: string }
  | { readonly type: 'no-predecessor' }
  | Extract<MessageFailure, { readonly type: 'tool-not-allowed' }>
  | { readonly type: 'input-invalid'; readonly problem: string }
  | { readonly type: 'provider-unavailable'; readonly provider: string; readonly problem: string }

/** Why an approval cannot be decided. */
export type ApprovalFailure =
  | { readonly type: 'approval-not-found'; readonly approvalId: string }
  | { readonly type: 'approval-decided'; readonly approvalId: string; readonly state: string }
  | { readonly type: 'digest-mismatch'; readonly approvalId: string; readonly digest: string }
  | { readonly type: 'scope-unavailable'; readonly approvalId: string; readonly scope: string }
  | { readonly type: 'abort-unavailable'; readonly approvalId: string }
  | { readonly type: 'rule-not-found'; readonly ruleId: string }

/** Why work cannot be shown or merged. */
export type EvidenceFailure =
  | { readonly type: 'no-work'; readonly subject: string; readonly problem: string }
  | { readonly type: 'nothing-landed'; readonly jobId: string; readonly hasEnded: boolean }
  | { readonly type: 'base-detached'; readonly jobId: string; readonly workingBranch: string }
  | {
      readonly type: 'uncommitted-included'
      readonly jobId: string
      readonly baseBranch: string
      readonly fileCount: number
    }
  | {
      readonly type: 'merge-conflict'
      readonly baseBranch: string
      readonly workingBranch: string
      readonly paths: readonly string[]
    }

/** A problem with the repository or with git itself. */
export type RepositoryFailure =
  | ImportFailure
  | DeliveryFailure
  | { readonly type: 'conflict'; readonly paths: readonly string[] }
  | { readonly type: 'branch-moved' }

/** Why something about the daemon's records cannot be done. */
export type RecordsFailure = { readonly type: 'audit-intact' } | BackupFailure

/** Why a playbook cannot be shown or followed. */
export type PlaybookFailure = PlaybookStartFailure

/** Why a run cannot be continued or compared. */
export type RunFailure = ForkFailure

/** Every failure the API can respond with. */
export type ApiFailure =
  | EdgeFailure
  | StartFailure
  | ChangedFailure
  | ControlFailure
  | BaseFailure
  | SessionFailure
  | ApprovalFailure
  | EvidenceFailure
  | RepositoryFailure
  | RecordsFailure
  | PlaybookFailure
  | RunFailure
  | DeletionFailure
  | RecoveryFailure
