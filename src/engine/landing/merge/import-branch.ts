import type { Job } from '../../../domain/job/job.ts'
import type { ImportFailure } from '../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../domain/result.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/** Fetches a branch of the person's repository into the hub and returns its commit. */
export async function importBranch(
  needs: Pick<LandingNeeds, 'branches'>,
  job: Pick<Job, 'projectId' | 'repositoryPath'>,
  branch: string,
): Promise<Result<string, ImportFailure>> {
  const source = await needs.branches.reopenSource(job.repositoryPath)
  if (!source.ok) return source
  const imported = await needs.branches.importBase(job.projectId, source.value, branch)
  return imported.ok ? success(imported.value.commit) : imported
}
