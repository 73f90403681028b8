import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { chainOf } from '../../domain/landing/chain-of.ts'
import type { Records } from '../../ports/store/store.ts'

/** The open candidates of a job's own branch, each after the one it builds on. */
export async function openChain(
  records: Pick<Records, 'candidates'>,
  job: Job,
): Promise<readonly Candidate[]> {
  const open = await records.candidates.listOpen(job.id)
  return chainOf(open.filter(({ branch }) => branch === job.workingBranch))
}
