import type { ApprovalId } from '../../domain/id.ts'
import { failure, type Result } from '../../domain/result.ts'
import { readDiff } from './read-diff.ts'
import type { ReportNeeds } from './report-needs.ts'
import type { DiffFailure, WorkDiff } from './work-diff.ts'

/** What would land if a person allowed it: exactly the commit they are asked about. */
export async function diffOfApproval(
  needs: ReportNeeds,
  approvalId: ApprovalId,
): Promise<Result<WorkDiff, DiffFailure>> {
  const { read } = needs.store
  const approval = await read.approvals.find(approvalId)
  if (approval === undefined) return failure({ type: 'not-found', what: 'approval', id: approvalId })
  if (approval.asker.type !== 'candidate') {
    const problem = 'an agent asks to use a tool; there is nothing to land'
    return failure({ type: 'no-work', subject: approvalId, problem })
  }
  const candidate = await read.candidates.find(approval.asker.candidateId)
  const job = candidate === undefined ? undefined : await read.jobs.find(candidate.jobId)
  if (candidate === undefined || job === undefined) {
    return failure({ type: 'not-found', what: 'candidate', id: approval.asker.candidateId })
  }
  return readDiff(needs, job, { subject: approvalId, from: candidate.onto, to: candidate.commit })
}
