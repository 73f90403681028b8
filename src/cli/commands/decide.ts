import type { MusterClient, WireApproval } from '../../client/index.ts'
import type { DecisionScope } from '../../domain/approval/approval-rule.ts'
import type { Target } from '../../domain/playbook/route.ts'
import { failure } from '../../domain/result.ts'
import { routeVisit } from '../../domain/run/route-visit.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { confirmScope, scopeRule } from '../confirm-scope.ts'
import { EXIT } from '../exit-code.ts'
import { findApproval } from '../find-approval.ts'
import { printExactly, printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { decisionLines } from '../render/approval/approval-lines.ts'
import { displayOf } from '../render/text/display.ts'
import { resolveId } from '../resolve-id.ts'
import { withAnswer, withDaemon } from '../with-daemon.ts'

export type ApproveFlags = { readonly scope?: DecisionScope; readonly yes?: true }
export type DenyFlags = { readonly reason?: string; readonly abort?: true }

type Decide = (client: MusterClient, approval: WireApproval) => ReturnType<MusterClient['allowApproval']>

export async function approveCommand(
  needs: CommandNeeds,
  text: string | undefined,
  { scope = 'once', yes }: ApproveFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const approval = await findApproval(needs, client, text, 'approve')
    if (!approval.ok) return approval
    const rule = scopeRule(scope, approval.value)
    if (rule !== undefined && yes !== true) {
      const isSure = await confirmScope(needs, rule)
      if (!isSure) return unconfirmed(approval.value, scope, rule)
    }
    return decide(needs, client, approval.value, 'allowed', (caller, { id, digest }) =>
      caller.allowApproval(id, scope === 'once' ? { digest } : { digest, scope }),
    )
  })
}

export async function denyCommand(
  needs: CommandNeeds,
  text: string | undefined,
  { reason, abort }: DenyFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const approval = await findApproval(needs, client, text, 'deny')
    if (!approval.ok) return approval
    return decide(needs, client, approval.value, 'denied', (caller, { id, digest }) =>
      caller.denyApproval(id, { digest, reason, ...(abort === true ? { abort } : {}) }),
    )
  })
}

/** Decides on the action that was read. If it has changed meanwhile, its digest differs and nothing is decided. */
async function decide(
  needs: CommandNeeds,
  client: MusterClient,
  approval: WireApproval,
  outcome: 'allowed' | 'denied',
  act: Decide,
): Promise<Outcome> {
  // Read first, because the decision counts as taking a limited route.
  const target = await gateTarget(client, approval, outcome)
  return withAnswer(act(client, approval), (decided) => {
    // The session may be gone after the decision; then only the request names its agent and task.
    const { agent, role, task } = { ...approval, ...decided }
    return printExactly(
      needs,
      decided,
      decisionLines({ ...decided, agent, role, task }, displayOf(needs), target),
    )
  })
}

/** Where a decision at a gate of a playbook leads; undefined if it isn't one, or can't be known. */
async function gateTarget(
  client: MusterClient,
  { action, runId }: WireApproval,
  outcome: 'allowed' | 'denied',
): Promise<Target | undefined> {
  if (action.type !== 'gate' || action.isTrouble === true || runId === undefined) return undefined
  const [run, playbook] = await Promise.all([client.getRun(runId), client.getRunPlaybook(runId)])
  if (!run.ok || !playbook.ok) return undefined
  return routeVisit(playbook.value, run.value.counters, action.stage, outcome).to
}

function unconfirmed({ id }: WireApproval, scope: DecisionScope, rule: string): Outcome {
  return failure({
    type: 'not-confirmed',
    exitCode: EXIT.conflict,
    message: 'nothing was decided',
    why: `with --scope ${scope}, ${rule}`,
    next: `muster approve ${id} --scope ${scope} --yes`,
  })
}

/** Revokes what was allowed in advance. */
export async function revokeCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const found = await resolveId(client, text, ['approval-rule'])
    if (!found.ok) return found
    return withAnswer(client.revokeApprovalRule(found.value.id), (rule) =>
      printResult(needs, rule, [`${rule.id} is revoked; the next such request waits for you`]),
    )
  })
}
