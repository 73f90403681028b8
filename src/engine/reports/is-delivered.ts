import type { Job } from '../../domain/job/job.ts'
import { importBranch } from '../merging/import-branch.ts'
import type { ReportNeeds } from './report-needs.ts'

/** Whether the person's repository has the working branch as it is in the hub; true when there is none to bring. */
export async function isDelivered(
  needs: Pick<ReportNeeds, 'branches' | 'history'>,
  job: Job,
): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, job.workingBranch)
  if (tip === undefined || tip === job.baseCommit) return true
  const theirs = await importBranch(needs, job, job.workingBranch)
  if (!theirs.ok) return false
  return theirs.value === tip || (await needs.history.isAncestor(job.projectId, tip, theirs.value))
}
