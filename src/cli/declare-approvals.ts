import type { Command } from 'commander'
import type { ApprovalsFlags } from './commands/approvals.ts'
import type { DenyFlags } from './commands/decide.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

const APPROVAL = ['<approval>', 'its id; the beginning is enough'] as const

/** Deciding on what agents want to do. */
export function declareApprovals(declare: Declare, start: Start): void {
  declare('approvals', 'what agents wait to be allowed')
    .option('--all', 'also what was decided before')
    .option('--job <id>', 'only of this job')
    .option('-n, --limit <n>', 'how many of the newest', countFlag(200))
    .action((flags: ApprovalsFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/approvals.ts')).approvalsCommand(needs, flags),
      ),
    )
  declare('approve', 'allow one exact action, once')
    .argument(...APPROVAL)
    .action((id: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/decide.ts')).approveCommand(needs, id)),
    )
  declare('deny', 'deny it; the agent is told the reason')
    .argument(...APPROVAL)
    .option('--reason <text>', 'what the agent is told')
    .action((id: string, flags: DenyFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/decide.ts')).denyCommand(needs, id, flags)),
    )
}
