import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import type { DeliveryFailure, ImportFailure } from '../../domain/repository/repository-failure.ts'
import type { IllegalTransition } from '../../domain/transition.ts'

/** A request that the edge refuses before anything is asked of the rest. */
export type EdgeFailure =
  | { readonly type: 'unauthorized' }
  | { readonly type: 'forbidden-host' }
  | { readonly type: 'forbidden-origin' }
  | { readonly type: 'not-json' }
  | { readonly type: 'body-too-large'; readonly limit: number }
  | { readonly type: 'bad-request'; readonly issues: readonly RequestIssue[] }
  | { readonly type: 'not-found'; readonly what: string; readonly id: string }
  | { readonly type: 'store-unavailable'; readonly problem: string }
  | { readonly type: 'not-ready'; readonly problem: string }
  | { readonly type: 'internal' }

export type RequestIssue = { readonly field: string; readonly problem: string }

/** A job that cannot be started as asked. */
export type StartFailure =
  | Exclude<StartJobFailure, ImportFailure>
  /** The wire takes a remote repository, and nothing serves it yet. */
  | { readonly type: 'repository-unsupported'; readonly repository: string }

/** A job that cannot do what it is asked now. */
export type ControlFailure = { readonly type: 'job-not-found'; readonly jobId: string } | IllegalTransition

/** A session that cannot be opened, asked or told something. */
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
  | { readonly type: 'input-invalid'; readonly problem: string }
  | { readonly type: 'provider-unavailable'; readonly provider: string; readonly problem: string }

/** An action that is not, or no longer, there to be decided on. */
export type ApprovalFailure =
  | { readonly type: 'approval-not-found'; readonly approvalId: string }
  | { readonly type: 'approval-decided'; readonly approvalId: string; readonly state: string }
  | { readonly type: 'digest-mismatch'; readonly approvalId: string; readonly digest: string }

/** Work that cannot be shown or taken as it is. */
export type EvidenceFailure =
  | { readonly type: 'no-work'; readonly subject: string; readonly problem: string }
  | { readonly type: 'nothing-landed'; readonly jobId: string }
  | {
      readonly type: 'merge-conflict'
      readonly baseBranch: string
      readonly workingBranch: string
      readonly paths: readonly string[]
    }

/** Something about the repository or git itself. */
export type RepositoryFailure =
  | ImportFailure
  | DeliveryFailure
  | { readonly type: 'conflict'; readonly paths: readonly string[] }
  | { readonly type: 'branch-moved' }

/** Everything the API can answer instead of what was asked for. */
export type ApiFailure =
  | EdgeFailure
  | StartFailure
  | ControlFailure
  | SessionFailure
  | ApprovalFailure
  | EvidenceFailure
  | RepositoryFailure
