import type { Approval, ApprovalState } from '../../domain/approval/approval.ts'
import type { ApprovalRule, DecisionScope, RuleMatch } from '../../domain/approval/approval-rule.ts'
import { type ApprovalEvent, nextApprovalState } from '../../domain/approval/next-approval-state.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { ApprovalId } from '../../domain/id.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { PermissionDecision } from '../../ports/dialogue.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findRule, matchOf } from './apply-rules.ts'
import { makeRule } from './make-rule.ts'
import { storeDecision } from './store-decision.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'crash' | 'ids' | 'adoptSession'>

export type DecisionFailure =
  | { readonly type: 'approval-not-found'; readonly approvalId: ApprovalId }
  | { readonly type: 'approval-decided'; readonly approvalId: ApprovalId; readonly state: string }
  /** The caller saw a different action from the one that waits. */
  | { readonly type: 'digest-mismatch'; readonly approvalId: ApprovalId; readonly digest: string }
  /** A landing is approved once, and a session outside any job has no other like it. */
  | { readonly type: 'scope-unavailable'; readonly approvalId: ApprovalId; readonly scope: DecisionScope }
  /** Only a stage in trouble asks whether its run is to end. */
  | { readonly type: 'abort-unavailable'; readonly approvalId: ApprovalId }

export type DecisionOptions = {
  /** The action that the person saw. */
  readonly digest?: string | undefined
  /** How far an approval reaches; `once` unless named. */
  readonly scope?: DecisionScope | undefined
}

/** Decides one exact action, once. The waiting program gets the answer. */
export async function decideApproval(
  needs: Needs,
  approvalId: ApprovalId,
  verdict: Verdict,
  options: DecisionOptions = {},
): Promise<Result<Approval, DecisionFailure>> {
  const woken: Approval[] = []
  const decided = await needs.store.transact(async (records): Promise<Result<Approval, DecisionFailure>> => {
    const approval = await records.approvals.find(approvalId)
    if (approval === undefined) return failure({ type: 'approval-not-found', approvalId })
    const decision = decisionOn(needs, approval, verdict, options)
    if (!decision.ok) return decision
    const { state, match } = decision.value
    const stored = await storeAnswer(needs, records, approval, verdict, state)
    if (match !== undefined) {
      const rule = await makeRule(needs, records, approval, match, verdict.by)
      woken.push(...(await allowAlike(needs, records, approval, rule)))
    }
    return success(stored)
  })
  for (const approval of decided.ok ? [decided.value, ...woken] : []) wakeSession(needs, approval)
  return decided
}

/** The state after a decision on what the person saw, and the rule that it leaves behind. */
function decisionOn(
  needs: Needs,
  approval: Approval,
  verdict: Verdict,
  { digest, scope = 'once' }: DecisionOptions,
): Result<{ readonly state: ApprovalState; readonly match?: RuleMatch }, DecisionFailure> {
  const { id: approvalId } = approval
  if (digest !== undefined && digest !== approval.digest) {
    return failure({ type: 'digest-mismatch', approvalId, digest: approval.digest })
  }
  if (verdict.type === 'approval-deny' && verdict.aborts === true && approval.asker.type !== 'trouble') {
    return failure({ type: 'abort-unavailable', approvalId })
  }
  const state = stateAfter(needs, approval, verdict)
  if (!state.ok) return state
  if (scope === 'once') return success({ state: state.value })
  const match = verdict.type === 'approval-allow' ? matchOf(approval, scope) : undefined
  if (match === undefined) return failure({ type: 'scope-unavailable', approvalId, scope })
  return success({ state: state.value, match })
}

type Verdict = Extract<ApprovalEvent, { type: 'approval-allow' | 'approval-deny' }>

async function storeAnswer(
  needs: Needs,
  records: Records,
  approval: Approval,
  verdict: Verdict,
  state: ApprovalState,
): Promise<Approval> {
  const decision: PermissionDecision =
    verdict.type === 'approval-allow'
      ? { type: 'allow' }
      : { type: 'deny', reason: verdict.reason ?? 'a person denied this' }
  const follow = await notifyAsker(records, approval, decision, 'person')
  needs.crash.reach('conversation.before-decision')
  return storeDecision(needs, records, { approval, state, actor: 'person', follow })
}

/** Allows what is already waiting and what the new rule covers. */
async function allowAlike(
  needs: Needs,
  records: Records,
  { jobId, asker }: Approval,
  rule: ApprovalRule,
): Promise<readonly Approval[]> {
  const where =
    rule.match.type === 'alike' && asker.type === 'session' ? { sessionId: asker.sessionId } : { jobId }
  const filter = withoutUndefined({ ...where, isPending: true })
  const allowed: Approval[] = []
  for (const approval of await records.approvals.list(filter, APPROVAL_LIMITS.perRound)) {
    if ((await findRule(records, approval))?.id !== rule.id) continue
    const verdict = { type: 'approval-allow', by: rule.createdBy, ruleId: rule.id } as const
    const state = stateAfter(needs, approval, verdict)
    if (state.ok) allowed.push(await storeAnswer(needs, records, approval, verdict, state.value))
  }
  return allowed
}

/** A decision that comes too late has no effect: undecided requests expire and count as denied. */
function stateAfter(
  needs: Needs,
  approval: Approval,
  verdict: ApprovalEvent,
): Result<ApprovalState, DecisionFailure> {
  const isLate = approval.state.type === 'pending' && approval.expiresAt <= needs.clock.now()
  const state = isLate ? undefined : nextApprovalState(approval.state, verdict)
  if (state?.ok === true) return state
  const settled = isLate ? 'expired' : approval.state.type
  return failure({ type: 'approval-decided', approvalId: approval.id, state: settled })
}

/** Denies a request that no one decided in time. */
export async function expireApproval(
  needs: Needs & Pick<EngineNeeds, 'wakeAt'>,
  approvalId: ApprovalId,
): Promise<void> {
  const approval = await needs.store.read.approvals.find(approvalId)
  if (approval?.state.type !== 'pending') return
  if (approval.expiresAt > needs.clock.now()) {
    return needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId })
  }
  await needs.store.transact(async (records) => {
    const current = await records.approvals.find(approvalId)
    if (current === undefined) return
    const state = nextApprovalState(current.state, { type: 'approval-expire' })
    if (!state.ok) return
    const decision = { type: 'deny', reason: 'no one approved it in time' } as const
    const follow = await notifyAsker(records, current, decision, 'engine')
    await storeDecision(needs, records, { approval: current, state: state.value, actor: 'engine', follow })
  })
  wakeSession(needs, approval)
}

function wakeSession(needs: Needs, { asker }: Approval): void {
  if (asker.type === 'session') needs.adoptSession(asker.sessionId)
}

/**
 * Passes a decision on, in the transaction that stores it. A program gets it in its protocol. The merge queue reads
 * the row itself and only has to be woken. Returns the work that wakes it.
 */
async function notifyAsker(
  records: Records,
  approval: Approval,
  decision: PermissionDecision,
  actor: 'person' | 'engine',
): Promise<readonly Work[]> {
  const { asker } = approval
  switch (asker.type) {
    case 'session':
      await records.sessions.addInput(
        asker.sessionId,
        { type: 'decide', requestId: asker.requestId, decision },
        { audit: { actor, action: 'session-decide', subject: asker.sessionId, detail: {} } },
      )
      return []
    case 'visit':
    case 'trouble':
    case 'run':
      return [{ type: 'run-advance', runId: asker.runId }]
    case 'candidate':
      return approval.jobId === undefined ? [] : [{ type: 'landing-advance', jobId: approval.jobId }]
    default:
      return assertNever(asker)
  }
}
