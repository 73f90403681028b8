import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  allowApprovalRoute,
  denyApprovalRoute,
  getApprovalRoute,
  listApprovalRulesRoute,
  listApprovalsRoute,
  revokeApprovalRuleRoute,
} from '../../contract/routes/approval-routes.ts'
import { type Result, success } from '../../domain/result.ts'
import type { DecisionFailure, DecisionOptions } from '../../engine/approvals/decide-approval.ts'
import { parseRuleId } from '../../engine/queries/approval-rules.ts'
import type { ApprovalView } from '../../engine/queries/approvals.ts'
import { type ApprovalNotFound, parseApprovalId } from '../../engine/queries/find-record.ts'
import type { SessionCommands } from '../../engine/sessions/session-commands.ts'
import { answer } from '../answer.ts'
import { approvalToWire } from '../render/approval-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import { ruleToWire } from '../render/rule-to-wire.ts'
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
    const options = context.req.valid('json')
    const allowed = await decide(needs, context.req.valid('param').id, { type: 'allow' }, options)
    return answer(context, allowed, approvalToWire)
  })

  app.openapi(denyApprovalRoute, async (context) => {
    const { reason, digest, abort: aborts } = context.req.valid('json')
    const verdict = { type: 'deny', reason, aborts } as const
    const denied = await decide(needs, context.req.valid('param').id, verdict, { digest })
    return answer(context, denied, approvalToWire)
  })

  app.openapi(listApprovalRulesRoute, async (context) => {
    const rules = await queries.approvalRules(context.req.valid('query'))
    return answer(context, rules, pageToWire(ruleToWire))
  })

  app.openapi(revokeApprovalRuleRoute, async (context) => {
    const ruleId = parseRuleId(context.req.valid('param').id)
    const revoked = ruleId.ok ? await needs.sessions.revokeRule(ruleId.value) : ruleId
    const viewed = revoked.ok ? success(await queries.viewRule(revoked.value)) : revoked
    return answer(context, viewed, ruleToWire)
  })
}

async function decide(
  { queries, sessions }: Needs,
  id: string,
  verdict: Verdict,
  options: DecisionOptions,
): Promise<Result<ApprovalView, DecisionFailure | ApprovalNotFound>> {
  const approvalId = parseApprovalId(id)
  const decided = approvalId.ok ? await sessions.decide(approvalId.value, verdict, options) : approvalId
  return decided.ok ? success(await queries.viewApproval(decided.value)) : decided
}
