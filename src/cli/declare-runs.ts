import type { Command } from 'commander'
import type { ListRunsFlags } from './commands/runs.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

/** The commands about runs of playbooks. */
export function declareRuns(declare: Declare, start: Start): void {
  const runs = declare('runs', 'list and show runs of playbooks')
  runs
    .command('list')
    .description('list the runs of a job, or the newest runs of all jobs')
    .argument('[job]', 'the job, by its ID or part of its title')
    .option('-n, --limit <n>', 'list at most this many', countFlag(200))
    .action((job: string | undefined, flags: ListRunsFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/runs.ts')).listRunsCommand(needs, job, flags),
      ),
    )
  runs
    .command('show')
    .description('show the stages that a run has been through, and the documents of its result')
    .argument('<run>', 'the run, by its ID')
    .action((run: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/runs.ts')).showRunCommand(needs, run)),
    )
}
