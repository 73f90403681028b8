import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  allowApprovalRoute,
  denyApprovalRoute,
  getApprovalRoute,
  listApprovalsRoute,
} from '../../contract/routes/approval-routes.ts'
import { type Result, success } from '../../domain/result.ts'
import type { DecisionFailure } from '../../engine/approvals/decide-approval.ts'
import type { ApprovalView } from '../../engine/queries/approvals.ts'
import { type ApprovalNotFound, parseApprovalId } from '../../engine/queries/find-record.ts'
import type { SessionCommands } from '../../engine/sessions/session-commands.ts'
import { answer } from '../answer.ts'
import { approvalToWire } from '../render/approval-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries' | 'sessions'>
type Verdict = Parameters<SessionCommands['decide']>[1]

/** Pending approval requests, and the decisions on them. */
export function addApprovalRoutes(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  const { queries } = needs

  app.openapi(listApprovalsRoute, async (context) => {
    const approvals = await queries.approvals(context.req.valid('query'))
    return answer(context, approvals, pageToWire(approvalToWire))
  })

  app.openapi(getApprovalRoute, async (context) => {
    const approval = await queries.approval(context.req.valid('param').id)
    return answer(context, approval, approvalToWire)
  })

  app.openapi(allowApprovalRoute, async (context) => {
    const { digest } = context.req.valid('json')
    const allowed = await decide(needs, context.req.valid('param').id, { type: 'allow' }, digest)
    return answer(context, allowed, approvalToWire)
  })

  app.openapi(denyApprovalRoute, async (context) => {
    const { reason = 'a person said no', digest } = context.req.valid('json')
    const denied = await decide(needs, context.req.valid('param').id, { type: 'deny', reason }, digest)
    return answer(context, denied, approvalToWire)
  })
}

async function decide(
  { queries, sessions }: Needs,
  id: string,
  verdict: Verdict,
  digest: string | undefined,
): Promise<Result<ApprovalView, DecisionFailure | ApprovalNotFound>> {
  const approvalId = parseApprovalId(id)
  const decided = approvalId.ok ? await sessions.decide(approvalId.value, verdict, digest) : approvalId
  return decided.ok ? success(await queries.viewApproval(decided.value)) : decided
}
