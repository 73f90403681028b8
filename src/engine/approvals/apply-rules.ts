import type { Approval } from '../../domain/approval/approval.ts'
import type { ToolUse } from '../../domain/approval/approval-action.ts'
import {
  type ApprovalRule,
  type DecisionScope,
  describeMatch,
  exactCommand,
  matchWords,
  type RuleMatch,
} from '../../domain/approval/approval-rule.ts'
import { describeToolUse } from '../../domain/approval/describe-action.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import type { RuleSubject } from '../../ports/store/approval-rule-records.ts'
import type { Records } from '../../ports/store/store.ts'
import { canonicalDigest } from '../canonical-digest.ts'

type Asked = Pick<Approval, 'action' | 'asker' | 'jobId'>

/** What a decision with this scope would allow; undefined if the scope makes no sense for the request. */
export function matchOf(
  { action, asker, jobId }: Asked,
  scope: Exclude<DecisionScope, 'once'>,
): RuleMatch | undefined {
  if (action.type !== 'tool-use' || asker.type !== 'session') return undefined
  const { tool } = action
  if (scope === 'session') return { type: 'alike', tool, kind: describeToolUse(action).kind }
  if (jobId === undefined) return undefined
  return { type: 'exact', digest: commandDigest(action), tool, words: matchWords(action) }
}

/** The same as sentences, so that a person sees what a scope means before choosing it. */
export function scopeWords(asked: Asked): { readonly job?: string; readonly session?: string } {
  const [job, session] = [matchOf(asked, 'job'), matchOf(asked, 'session')]
  return {
    ...(job === undefined ? {} : { job: describeMatch(job) }),
    ...(session === undefined ? {} : { session: describeMatch(session) }),
  }
}

/** The rule that allows a request without asking anyone, if its job is still open. */
export async function findRule(records: Records, asked: Asked): Promise<ApprovalRule | undefined> {
  const subject = subjectOf(asked)
  const rule = subject === undefined ? undefined : await records.approvalRules.findMatch(subject)
  if (rule === undefined || asked.jobId === undefined) return rule
  const job = await records.jobs.find(asked.jobId)
  return job === undefined || isJobFinished(job.state) ? undefined : rule
}

function subjectOf({ action, asker, jobId }: Asked): RuleSubject | undefined {
  if (action.type !== 'tool-use' || asker.type !== 'session') return undefined
  return {
    ...(jobId === undefined ? {} : { jobId }),
    sessionId: asker.sessionId,
    digest: commandDigest(action),
    tool: action.tool,
    kind: describeToolUse(action).kind,
  }
}

function commandDigest(action: ToolUse): string {
  return canonicalDigest(exactCommand(action))
}
