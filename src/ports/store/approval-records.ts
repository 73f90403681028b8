import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalId, JobId, SessionId } from '../../domain/id.ts'
import type { Change } from './change.ts'

export type ApprovalFilter = {
  readonly jobId?: JobId
  readonly sessionId?: SessionId
  readonly isPending?: boolean
}

export interface ApprovalRecords {
  /** Stores nothing, and returns the earlier approval, if the same process already used the id of the request. */
  insert(approval: Approval, change: Change): Promise<Approval>
  save(approval: Approval, change: Change): Promise<Approval>
  find(id: ApprovalId): Promise<Approval | undefined>
  /** Newest first. */
  list(filter: ApprovalFilter, limit: number): Promise<readonly Approval[]>
}
