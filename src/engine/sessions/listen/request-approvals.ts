import type { Approval } from '../../../domain/approval/approval.ts'
import { approvalRequested } from '../../../domain/event/approval-events.ts'
import { APPROVAL_LIMITS } from '../../../domain/limits/approval-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import { attemptIdOf } from '../../../domain/session/session-purpose.ts'
import type { Records } from '../../../ports/store/store.ts'
import { actionDigest } from '../../approvals/action-digest.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { PermissionRequest } from './read-spools.ts'

type Needs = Pick<EngineNeeds, 'store' | 'roles' | 'clock' | 'ids' | 'settings' | 'wakeAt'>

/** Turns what a program wants to be allowed into questions that wait, as rows, for a decision. */
export async function requestApprovals(
  needs: Needs,
  records: Records,
  session: Session,
  requests: readonly PermissionRequest[],
): Promise<void> {
  if (requests.length === 0) return
  const workplace = await planOf(session).findWorkplace(needs)
  const directory = workplace?.tree.directory ?? ''
  const open = await records.approvals.list(
    { sessionId: session.id, isPending: true },
    APPROVAL_LIMITS.openPerSession,
  )
  for (const [index, request] of requests.entries()) {
    if (open.length + index >= APPROVAL_LIMITS.openPerSession) {
      await refuse(records, session, request)
      continue
    }
    const approval = approvalOf(needs, session, request, directory)
    await records.approvals.insert(approval, {
      audit: {
        actor: 'agent',
        action: 'approval-request',
        subject: approval.id,
        detail: { tool: request.tool, digest: approval.digest },
      },
      events: [approvalRequested(approval, session.agentName)],
    })
    needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId: approval.id })
  }
}

/** Nobody reads so many questions: what is asked beyond is denied at once. */
async function refuse(records: Records, session: Session, request: PermissionRequest): Promise<void> {
  const decision = { type: 'deny', reason: 'too many questions wait for an answer already' } as const
  await records.sessions.addInput(
    session.id,
    { type: 'decide', requestId: request.requestId, decision },
    {
      audit: {
        actor: 'engine',
        action: 'approval-refuse',
        subject: session.id,
        detail: { tool: request.tool },
      },
    },
  )
}

function approvalOf(needs: Needs, session: Session, request: PermissionRequest, directory: string): Approval {
  const { tool, input, reason, requestId } = request
  const now = needs.clock.now()
  const attemptId = attemptIdOf(session)
  const action = { tool, input, directory, ...(reason === undefined ? {} : { reason }) }
  return {
    id: needs.ids.next('approval'),
    ...(session.jobId === undefined ? {} : { jobId: session.jobId }),
    ...(attemptId === undefined ? {} : { attemptId }),
    asker: { type: 'session', sessionId: session.id, life: session.life, requestId },
    digest: actionDigest({
      tool,
      input,
      directory,
      attemptId,
      sessionId: session.id,
      life: session.life,
      requestId,
    }),
    action,
    state: { type: 'pending' },
    version: 1,
    createdAt: now,
    expiresAt: new Date(now.getTime() + needs.settings.approvalMinutes * 60_000),
  }
}
