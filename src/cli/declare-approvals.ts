import { type Command, Option } from 'commander'
import { DECISION_SCOPES } from '../domain/approval/approval-rule.ts'
import type { ApprovalsFlags } from './commands/approvals.ts'
import type { ApproveFlags, DenyFlags } from './commands/decide.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

/** The commands with which people decide about requests. */
export function declareApprovals(declare: Declare, start: Start): void {
  const APPROVAL = [
    '[approval]',
    'the approval or its task, such as t1-2 (default: the only pending one)',
  ] as const
  declare('approvals', 'list pending approval requests')
    .option('--all', 'include requests that are no longer pending')
    .option('--job <id>', 'only requests of this job')
    .option('--rules', 'instead of requests, list the rules that allow actions in advance')
    .option('--revoke <rule>', 'revoke a rule')
    .option('-n, --limit <n>', 'list only the newest n', countFlag(200))
    .action((flags: ApprovalsFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/approvals.ts')).approvalsCommand(needs, flags),
      ),
    )
  declare('approve', 'allow one exact action once; with --scope, more than once')
    .argument(...APPROVAL)
    .addOption(
      new Option(
        '--scope <scope>',
        'once (default): only this action; job: this exact command until the job ends; session: every action of this kind with this tool until the session ends',
      ).choices(DECISION_SCOPES),
    )
    .option('--yes', 'apply the scope without asking')
    .action((id: string | undefined, flags: ApproveFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/decide.ts')).approveCommand(needs, id, flags),
      ),
    )
  declare('deny', 'deny an action or a landing; a denied landing ends its task')
    .argument(...APPROVAL)
    .option(
      '--reason <text>',
      'why you deny it; the agent reads this or, for a landing, the next planner does',
    )
    .option(
      '--abort',
      'if the request is about a stage that failed: end its run instead of skipping the stage',
    )
    .action((id: string | undefined, flags: DenyFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/decide.ts')).denyCommand(needs, id, flags)),
    )
}
