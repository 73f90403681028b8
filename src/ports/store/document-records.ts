import type { JobId } from '../../domain/id.ts'
import type { DocumentKind, JobDocument } from '../../domain/job/job-document.ts'
import type { Change } from './change.ts'

/** Contract: versions are numbered without gaps per job and kind, and only their `cycle` ever changes. */
export interface DocumentRecords {
  insert(document: JobDocument, change: Change): Promise<void>
  /** Marks every waiting version as applied by this cycle. */
  apply(jobId: JobId, cycle: number, change: Change): Promise<void>
  /** The newest version of each kind that no discovery has applied. */
  listWaiting(jobId: JobId): Promise<readonly JobDocument[]>
  /** Oldest first. */
  listOf(jobId: JobId, kind: DocumentKind): Promise<readonly JobDocument[]>
}
