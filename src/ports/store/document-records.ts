import type { JobId } from '../../domain/id.ts'
import type { DocumentKind, JobDocument } from '../../domain/job/job-document.ts'
import type { Change } from './change.ts'

/** Contract: versions are numbered without gaps for each job and kind, and never changed but to be taken up. */
export interface DocumentRecords {
  insert(document: JobDocument, change: Change): Promise<void>
  /** Marks every version that waits as taken up by this cycle. */
  takeUp(jobId: JobId, cycle: number, change: Change): Promise<void>
  /** The newest version of each kind that no discovery has taken up. */
  listWaiting(jobId: JobId): Promise<readonly JobDocument[]>
  /** Oldest first. */
  listOf(jobId: JobId, kind: DocumentKind): Promise<readonly JobDocument[]>
}
