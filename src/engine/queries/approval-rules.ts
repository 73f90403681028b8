import type { ApprovalRule } from '../../domain/approval/approval-rule.ts'
import { type ApprovalRuleId, parseId } from '../../domain/id.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { LIST_LIMITS } from '../../domain/limits/list-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { RuleNotFound } from '../approvals/make-rule.ts'
import { findNamedJob, type JobNotFound, type Reads } from './find-record.ts'
import { type Page, type PageInput, pageOf } from './page.ts'

export type RulesInput = PageInput & {
  readonly job?: string | undefined
  /** `active` leaves out rules that have no effect any more. */
  readonly status: 'active' | 'all'
}

/** A rule, with the session it is limited to. It ends with its job or that session. */
export type RuleView = {
  readonly rule: ApprovalRule
  readonly status: 'active' | 'revoked' | 'ended'
  readonly session?: Session
}

/** Newest first. */
export async function listRules(
  needs: Reads,
  input: RulesInput,
): Promise<Result<Page<RuleView>, JobNotFound>> {
  const job = await findNamedJob(needs, input.job)
  if (!job.ok) return job
  const filter = withoutUndefined({ jobId: job.value?.id })
  const rules = await needs.store.read.approvalRules.list(filter, LIST_LIMITS.recent)
  const views = await Promise.all(rules.map((rule) => viewRule(needs, rule)))
  const shown = views.filter(({ status }) => input.status === 'all' || status === 'active')
  const page = pageOf(
    shown.map((view) => ({ ...view, id: view.rule.id })),
    input,
  )
  return success(page)
}

export async function viewRule({ store }: Reads, rule: ApprovalRule): Promise<RuleView> {
  const [job, session] = await Promise.all([
    rule.jobId === undefined ? undefined : store.read.jobs.find(rule.jobId),
    rule.sessionId === undefined ? undefined : store.read.sessions.find(rule.sessionId),
  ])
  const hasEnded = (job !== undefined && isJobFinished(job.state)) || session?.state.type === 'terminated'
  const endedStatus = hasEnded ? 'ended' : 'active'
  const status = rule.revokedAt === undefined ? endedStatus : 'revoked'
  return withoutUndefined({ rule, status, session } as const)
}

export function parseRuleId(text: string): Result<ApprovalRuleId, RuleNotFound> {
  const id = parseId('approval-rule', text)
  return id === undefined ? failure({ type: 'rule-not-found', ruleId: text }) : success(id)
}
