import type { Approval } from '../../domain/approval/approval.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import { loadAttemptTasks } from './attempt-tasks.ts'
import {
  type ApprovalNotFound,
  findNamedJob,
  findSession,
  type JobNotFound,
  parseApprovalId,
  type Reads,
  type SessionNotFound,
} from './find-record.ts'
import { type LandingEvidence, loadLandingEvidence } from './landing-evidence.ts'
import { type Page, type PageInput, pageOf, recentCount } from './page.ts'

export type ApprovalsInput = PageInput & {
  readonly job?: string | undefined
  readonly session?: string | undefined
  /** `pending` leaves out decided requests. */
  readonly status: 'pending' | 'all'
}

/** An approval with the session that asks, or with the evidence for the commit that would land. */
export type ApprovalView = {
  readonly approval: Approval
  readonly session?: Session
  /** The task that the session works on. */
  readonly task?: Task
  readonly evidence?: LandingEvidence
}

/** Newest first. */
export async function listApprovals(
  needs: Reads,
  input: ApprovalsInput,
): Promise<Result<Page<ApprovalView>, JobNotFound | SessionNotFound>> {
  const job = await findNamedJob(needs, input.job)
  if (!job.ok) return job
  const session = input.session === undefined ? undefined : await findSession(needs, input.session)
  if (session?.ok === false) return session
  const filter = withoutUndefined({
    jobId: job.value?.id,
    sessionId: session?.value.id,
    isPending: input.status === 'pending' ? true : undefined,
  })
  const page = pageOf(await needs.store.read.approvals.list(filter, recentCount(input)), input)
  return success({ ...page, items: await viewApprovals(needs, page.items) })
}

export async function showApproval(
  needs: Reads,
  id: string,
): Promise<Result<ApprovalView, ApprovalNotFound>> {
  const approvalId = parseApprovalId(id)
  const approval = approvalId.ok ? await needs.store.read.approvals.find(approvalId.value) : undefined
  if (approval === undefined) return failure({ type: 'approval-not-found', approvalId: id })
  return success(await viewApproval(needs, approval))
}

/** The same for an approval that was just loaded or changed. */
export async function viewApproval(needs: Reads, approval: Approval): Promise<ApprovalView> {
  const [view = { approval }] = await viewApprovals(needs, [approval])
  return view
}

async function viewApprovals(needs: Reads, approvals: readonly Approval[]): Promise<readonly ApprovalView[]> {
  const askers = approvals.map(({ asker }) => asker)
  const [sessions, tasks, evidence] = await Promise.all([
    needs.store.read.sessions.findMany(
      askers.flatMap((asker) => (asker.type === 'session' ? [asker.sessionId] : [])),
    ),
    loadAttemptTasks(needs, approvals),
    loadLandingEvidence(
      needs,
      askers.flatMap((asker) => (asker.type === 'candidate' ? [asker.candidateId] : [])),
    ),
  ])
  const sessionOf = new Map<string, Session>(sessions.map((session) => [session.id, session]))
  return approvals.map((approval) => {
    const { asker } = approval
    switch (asker.type) {
      case 'session':
        return withoutUndefined({
          approval,
          session: sessionOf.get(asker.sessionId),
          task: tasks.get(approval.attemptId ?? ''),
        })
      case 'candidate':
        return withoutUndefined({ approval, evidence: evidence.get(asker.candidateId) })
      case 'visit':
      case 'trouble':
      case 'run':
        return { approval }
      default:
        return assertNever(asker)
    }
  })
}
