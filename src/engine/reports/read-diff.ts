import type { Job } from '../../domain/job/job.ts'
import { type Result, success } from '../../domain/result.ts'
import type { ReportNeeds } from './report-needs.ts'
import type { DiffFailure, WorkDiff } from './work-diff.ts'

const MAX_PATCH_BYTES = 200_000
const MAX_FILES = 1000

/** The change between two commits of a job's project, cut where it is too long to be read at once. */
export async function readDiff(
  needs: Pick<ReportNeeds, 'history' | 'settings'>,
  job: Pick<Job, 'projectId'>,
  range: { readonly subject: string; readonly from: string; readonly to: string },
): Promise<Result<WorkDiff, DiffFailure>> {
  const { from, to } = range
  const diff = await needs.history.diff(job.projectId, from, to, MAX_PATCH_BYTES)
  if (!diff.ok) return diff
  const { files, patch, isCut } = diff.value
  return success({
    ...range,
    files: files.slice(0, MAX_FILES),
    omittedFiles: Math.max(0, files.length - MAX_FILES),
    patch,
    isCut,
    gitDirectory: `${needs.settings.hubsDirectory}/${job.projectId}.git`,
  })
}
