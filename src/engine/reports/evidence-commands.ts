import type { ApprovalId, JobId, TaskId } from '../../domain/id.ts'
import type { Report } from '../../domain/report/report.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import type { Merge, MergeFailure } from '../merging/merge.ts'
import { mergeJob } from '../merging/merge-job.ts'
import { readMerge } from '../merging/read-merge.ts'
import { diffOfApproval } from './diff-of-approval.ts'
import { diffOfJob } from './diff-of-job.ts'
import { diffOfTask } from './diff-of-task.ts'
import { listReports, type ReportFailure, type ReportRequest } from './list-reports.ts'
import type { ReportNeeds } from './report-needs.ts'
import type { DiffFailure, WorkDiff } from './work-diff.ts'

/** How a person looks at what was done and takes it; each is one use case, bound to its needs. */
export interface EvidenceCommands {
  reports(request: ReportRequest): Promise<Result<readonly Report[], ReportFailure>>
  diffOfTask(taskId: TaskId): Promise<Result<WorkDiff, DiffFailure>>
  diffOfApproval(approvalId: ApprovalId): Promise<Result<WorkDiff, DiffFailure>>
  diffOfJob(jobId: JobId): Promise<Result<WorkDiff, DiffFailure>>
  /** Brings a job's work into its base branch, or begins to. */
  merge(jobId: JobId): Promise<Result<Merge, MergeFailure>>
  /** Where that has got to. */
  mergeOf(jobId: JobId): Promise<Result<Merge, MergeFailure>>
}

export function createEvidenceCommands(needs: ReportNeeds & LandingNeeds): EvidenceCommands {
  return {
    reports: (request) => listReports(needs, request),
    diffOfTask: (taskId) => diffOfTask(needs, taskId),
    diffOfApproval: (approvalId) => diffOfApproval(needs, approvalId),
    diffOfJob: (jobId) => diffOfJob(needs, jobId),
    merge: (jobId) => mergeJob(needs, jobId),
    async mergeOf(jobId) {
      const job = await needs.store.read.jobs.find(jobId)
      return job === undefined
        ? failure({ type: 'job-not-found', jobId })
        : success(await readMerge(needs, job))
    },
  }
}
