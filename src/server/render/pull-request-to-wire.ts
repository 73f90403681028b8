import type { WirePullRequest } from '../../contract/pull-request.ts'
import { DETACHED } from '../../domain/job/job.ts'
import { jobTitle } from '../../domain/job/job-title.ts'
import type { Report } from '../../domain/report/report.ts'
import type { Proposal } from '../../engine/landing/proposal/prepare-proposal.ts'
import { pullRequestText } from './markdown/pull-request-text.ts'

export function pullRequestToWire(
  { job, commit, objectsPath, hasTaskList, warnings }: Proposal,
  report: Report,
): WirePullRequest {
  const { id: jobId, repositoryPath, baseBranch, baseCommit, workingBranch: branch } = job
  return {
    jobId,
    repositoryPath,
    ...(baseBranch === DETACHED ? {} : { baseBranch }),
    baseCommit,
    branch,
    commit,
    hasTaskList,
    objectsPath,
    ...pullRequestText(report, jobTitle(job.requestDocument)),
    isReady: report.finalizeReady,
    notReady: report.notReady,
    warnings,
  }
}
