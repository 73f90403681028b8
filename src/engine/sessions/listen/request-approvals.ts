import type { Approval } from '../../../domain/approval/approval.ts'
import type { ToolUse } from '../../../domain/approval/approval-action.ts'
import type { ApprovalRule } from '../../../domain/approval/approval-rule.ts'
import { approvalDecided, approvalRequested } from '../../../domain/event/approval-events.ts'
import { APPROVAL_LIMITS } from '../../../domain/limits/approval-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import { attemptIdOf } from '../../../domain/session/session-purpose.ts'
import type { Records } from '../../../ports/store/store.ts'
import { findRule } from '../../approvals/apply-rules.ts'
import { canonicalDigest } from '../../canonical-digest.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { PermissionRequest } from './hear-program.ts'

type Needs = Pick<EngineNeeds, 'store' | 'assignments' | 'clock' | 'ids' | 'settings' | 'wakeAt'>

/** Stores a program's permission requests as approvals that wait for a decision. */
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
      await refuse(records, session, request, 'too many approval requests are already waiting for an answer')
      continue
    }
    const approval = approvalOf(needs, session, request, directory)
    const rule = await findRule(records, approval)
    if (rule !== undefined) {
      await allowByRule(needs, records, session, approval, rule)
      continue
    }
    const stored = await records.approvals.insert(approval, {
      audit: {
        actor: 'agent',
        action: 'approval-request',
        subject: approval.id,
        detail: { tool: request.tool, digest: approval.digest },
      },
      events: [approvalRequested(approval, session.agentName)],
      follow: (await planOf(session).whenBlocked?.(records)) ?? [],
    })
    // One decision must not answer two requests, of which the person has seen only the first.
    if (stored.digest !== approval.digest) await refuse(records, session, request, 'its id was used before')
    else needs.wakeAt(stored.expiresAt, { type: 'approval-expire', approvalId: stored.id })
  }
}

/** Allows a request at once, because a person allowed it in advance. The request is stored all the same. */
async function allowByRule(
  needs: Needs,
  records: Records,
  session: Session,
  asked: Approval,
  rule: ApprovalRule,
): Promise<void> {
  const approval: Approval = {
    ...asked,
    state: { type: 'allowed', by: rule.createdBy, ruleId: rule.id },
    decidedAt: needs.clock.now(),
  }
  const stored = await records.approvals.insert(approval, {
    audit: {
      actor: 'engine',
      action: 'approval-allow-by-rule',
      subject: approval.id,
      detail: { digest: approval.digest, ruleId: rule.id },
    },
    events: [approvalRequested(approval, session.agentName), approvalDecided(approval, { isAtOnce: true })],
  })
  // The earlier request with this id was decided when it was stored, or still waits for a person.
  if (stored.id !== approval.id || approval.asker.type !== 'session') return
  await records.sessions.addInput(
    session.id,
    { type: 'decide', requestId: approval.asker.requestId, decision: { type: 'allow' } },
    { audit: { actor: 'engine', action: 'session-decide', subject: session.id, detail: {} } },
  )
}

/** Denies a request at once, without asking anybody. */
async function refuse(
  records: Records,
  session: Session,
  request: PermissionRequest,
  reason: string,
): Promise<void> {
  const decision = { type: 'deny', reason } as const
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
  const action: ToolUse = {
    type: 'tool-use',
    tool,
    input,
    directory,
    ...(reason === undefined ? {} : { reason }),
  }
  return {
    id: needs.ids.next('approval'),
    ...(session.jobId === undefined ? {} : { jobId: session.jobId }),
    ...(attemptId === undefined ? {} : { attemptId }),
    asker: { type: 'session', sessionId: session.id, processNumber: session.processNumber, requestId },
    digest: canonicalDigest({
      tool,
      input,
      directory,
      attemptId,
      sessionId: session.id,
      processNumber: session.processNumber,
      requestId,
    }),
    action,
    state: { type: 'pending' },
    version: 1,
    createdAt: now,
    expiresAt: new Date(now.getTime() + needs.settings.approvalMinutes * 60_000),
  }
}
