import type { WireApproval } from '../client/index.ts'
import type { DecisionScope } from '../domain/approval/approval-rule.ts'
import type { CommandNeeds } from './command-needs.ts'
import { ruleSubject } from './render/approval/rule-subject.ts'
import { visibleLine } from './render/text/safe-text.ts'

/** What a scope would allow, as a sentence; undefined if the request can't be allowed with it. */
export function scopeRule(scope: DecisionScope, approval: WireApproval): string | undefined {
  const allows = scope === 'once' ? undefined : approval.scopes[scope]
  return allows === undefined ? undefined : `${ruleSubject(scope, approval)} ${visibleLine(allows)}`
}

/** Shows what a wider scope allows before it applies. Only a terminal can answer. */
export async function confirmScope(
  { surroundings, output }: Pick<CommandNeeds, 'surroundings' | 'output'>,
  rule: string,
  signal?: AbortSignal,
): Promise<boolean> {
  if (!output.isTerminal) return false
  const { confirm } = await import('@clack/prompts')
  const answer = await confirm({
    message: `With this scope, ${rule}. Allow this?`,
    initialValue: false,
    input: surroundings.stdin,
    output: surroundings.stdout,
    ...(signal === undefined ? {} : { signal }),
  })
  return answer === true
}
