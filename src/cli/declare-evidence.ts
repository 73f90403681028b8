import type { Command } from 'commander'
import type { DiffFlags } from './commands/diff.ts'
import type { ReportFlags } from './commands/report.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

/** Looking at what was done, and taking it. */
export function declareEvidence(declare: Declare, start: Start): void {
  declare('report', 'what a job did, what it rests on, what it cost, and what is in the way')
    .argument('[job or project]', 'a job, or a project by its id, name or path; yours when left out')
    .option('-n, --limit <n>', 'how many of the newest jobs of a project; 1 when left out', countFlag(20))
    .action((id: string | undefined, flags: ReportFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/report.ts')).reportCommand(needs, id, flags)),
    )
  declare('diff', 'what a task, a job or a landing that waits for you changes')
    .argument('<id>', 'a task, a job or an approval; the beginning of its id is enough')
    .option('--stat', 'only which files, and how much')
    .action((id: string, flags: DiffFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/diff.ts')).diffCommand(needs, id, flags)),
    )
  declare('merge', 'bring what a job landed into the base branch, checked; your checkout is left alone')
    .argument('<job>', 'its id; the beginning is enough')
    .action((id: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/merge.ts')).mergeCommand(needs, id)),
    )
}
