import type { CandidateId, JobId } from '../../domain/id.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Change } from './change.ts'

/** Contract: the schema allows one open candidate per branch and commit it was merged onto. */
export interface CandidateRecords {
  insert(candidate: Candidate, change: Change): Promise<Candidate>
  save(candidate: Candidate, change: Change): Promise<Candidate>
  find(id: CandidateId): Promise<Candidate | undefined>
  /** Those that exist, in no particular order. */
  findMany(ids: readonly CandidateId[]): Promise<readonly Candidate[]>
  /** Neither landed nor dropped, oldest first; of all jobs if none is named. */
  listOpen(jobId?: JobId): Promise<readonly Candidate[]>
  listOfJob(jobId: JobId): Promise<readonly Candidate[]>
}
