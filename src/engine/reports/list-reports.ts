import type { JobId, ProjectId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { buildReport } from '../../domain/report/build-report.ts'
import type { Report } from '../../domain/report/report.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readSight } from './read-sight.ts'
import type { ReportNeeds } from './report-needs.ts'

export type ReportRequest = {
  readonly jobId?: JobId
  readonly projectId?: ProjectId
  readonly limit: number
}

export type ReportFailure = { readonly type: 'job-not-found'; readonly jobId: string }

const PAGE = 100
/** How far back jobs of a project are looked for. */
const MAX_PAGES = 20

/** The report of one job, or of the newest of a project or of all, newest first. */
export async function listReports(
  needs: ReportNeeds,
  request: ReportRequest,
): Promise<Result<readonly Report[], ReportFailure>> {
  const jobs = await findJobs(needs, request)
  if (!jobs.ok) return jobs
  const reports: Report[] = []
  for (const job of jobs.value) reports.push(buildReport(await readSight(needs, job)))
  return success(reports)
}

async function findJobs(
  needs: ReportNeeds,
  { jobId, projectId, limit }: ReportRequest,
): Promise<Result<readonly Job[], ReportFailure>> {
  const { jobs } = needs.store.read
  if (jobId !== undefined) {
    const job = await jobs.find(jobId)
    return job === undefined ? failure({ type: 'job-not-found', jobId }) : success([job])
  }
  const found: Job[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && found.length < limit; page += 1) {
    const listed = await jobs.list({}, { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...listed.filter((job) => projectId === undefined || job.projectId === projectId))
    cursor = listed.at(-1)?.id
    if (listed.length < PAGE) break
  }
  return success(found.slice(0, limit))
}
