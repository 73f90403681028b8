import type { WireApproval } from '../../../client/index.ts'
import type { DecisionScope } from '../../../domain/approval/approval-rule.ts'
import { safeLine } from '../text/safe-text.ts'

/** Who may do more if a request is allowed with this scope: a rule for a job applies to all its agents. */
export function ruleSubject(scope: DecisionScope, { agent }: Pick<WireApproval, 'agent'>): string {
  return scope === 'job' ? 'every agent' : safeLine(agent ?? 'the agent')
}
