import type { Command } from 'commander'
import type { CleanFlags } from './commands/clean.ts'
import type { DeleteFlags } from './commands/delete.ts'
import type { GcFlags } from './commands/gc.ts'
import type { RecoverFlags } from './commands/recover.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag, exactDurationFlag } from './parse/flag-parsers.ts'

/** The commands that restore work that did not land, and that remove what is old. */
export function declareCleanup(declare: Declare, start: Start): void {
  declare('recover', 'list work that did not land, or restore it as a branch of your repository')
    .argument('[id]', 'an attempt, task, session or run to restore; or a job, to list only its work')
    .option('--branch <name>', 'name of the new branch (default: muster/recovered-...)')
    .option('--with-refused-work', 'restore the work even if it was refused; the list shows the reason')
    .option('--all', 'also list work that was restored or replaced, and changes by planners and reviewers')
    .option('-n, --limit <n>', 'list only the newest n', countFlag(200))
    .action((id: string | undefined, flags: RecoverFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/recover.ts')).recoverCommand(needs, id, flags),
      ),
    )
  declare('delete', 'delete an ended job with its events, files and pinned work')
    .argument(
      '[id]',
      'the job, by its ID or part of its title, or its run if the job did nothing else (required)',
    )
    .option('--with-unlanded-work', 'also delete work that exists nowhere else, landed or not')
    .option('--branch', 'also delete its branch in your repository, unless it contains commits of your own')
    .option('--dry-run', 'show what would be deleted')
    .option('--yes', 'delete without asking')
    .action((id: string | undefined, flags: DeleteFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/delete.ts')).deleteCommand(needs, id, flags)),
    )
  declare('gc', 'remove leftovers that nothing needs, and print the reason and size of each')
    .option('--dry-run', 'show what would be removed')
    .action((flags: GcFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/gc.ts')).gcCommand(needs, flags)),
    )
  declare('clean', 'delete old jobs, except those with work to keep, or delete one ended job')
    .argument('[id]', "delete only this job, or a run's job if it did nothing else")
    .option(
      '--older-than <duration>',
      'only jobs that ended longer ago than this (default: 30d)',
      exactDurationFlag,
    )
    .option('--dry-run', 'show what would be deleted')
    .option('--yes', 'delete without asking')
    .action((id: string | undefined, flags: CleanFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/clean.ts')).cleanCommand(needs, id, flags)),
    )
}
