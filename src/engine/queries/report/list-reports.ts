import { parseId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { buildReport } from '../../../domain/report/build-report.ts'
import type { Report } from '../../../domain/report/report.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findJob, type JobNotFound, type NotFound } from '../find-record.ts'
import { loadReportInput, type ReportNeeds } from './load-report-input.ts'

export type ReportsInput = {
  readonly job?: string | undefined
  readonly project?: string | undefined
  readonly limit: number
}

/** The report of one job, or of the newest jobs of one or all projects, newest first. */
export async function listReports(
  needs: ReportNeeds,
  input: ReportsInput,
): Promise<Result<readonly Report[], JobNotFound | NotFound>> {
  const jobs = await findJobs(needs, input)
  if (!jobs.ok) return jobs
  const reports: Report[] = []
  for (const job of jobs.value) reports.push(buildReport(await loadReportInput(needs, job)))
  return success(reports)
}

async function findJobs(
  needs: ReportNeeds,
  { job: jobText, project, limit }: ReportsInput,
): Promise<Result<readonly Job[], JobNotFound | NotFound>> {
  if (jobText !== undefined) {
    const job = await findJob(needs, jobText)
    return job.ok ? success([job.value]) : job
  }
  const projectId = project === undefined ? undefined : parseId('project', project)
  if (project !== undefined && projectId === undefined) {
    return failure({ type: 'not-found', what: 'project', id: project })
  }
  return success(await needs.store.read.jobs.list(projectId === undefined ? {} : { projectId }, { limit }))
}
