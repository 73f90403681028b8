import { type Command, Option } from 'commander'
import type { ExportFlags } from './commands/export.ts'
import type { ForkFlags } from './commands/fork.ts'
import type { HistoryFlags } from './commands/history.ts'
import type { CompareRunsFlags, ListRunsFlags } from './commands/runs.ts'
import type { Declare, Start } from './declare.ts'
import { declareNotify } from './declare-notify.ts'
import { countFlag, inputFlag, repeatedFlag } from './parse/flag-parsers.ts'

const RUN = "a run; a task or job means its newest run (default: the newest job's)"

function declareFork(declare: Declare, start: Start): void {
  const fork = declare(
    'fork',
    "start a new run that reuses another run's visits up to a point and redoes the rest",
  )
    .argument('<run>', 'the run, by its ID')
    .requiredOption(
      '--at <visit>',
      'first visit to redo: its number, or a stage for its latest visit (required)',
    )
    .option(
      '--prompt <stage=file>',
      'use the text of this file as the prompt of a stage (repeatable)',
      inputFlag,
    )
    .option('--agent <role=name>', 'use this agent for a role (repeatable)', inputFlag)
    .option(
      '--skip <stage>',
      'skip a stage, if the playbook has a route for its failure (repeatable)',
      repeatedFlag,
    )
    .option('-d, --detach', 'start the job in the background and exit')
    .action((run: string, flags: ForkFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/fork.ts')).forkCommand(needs, run, flags)),
    )
  declareNotify(fork)
}

/** The commands about runs of playbooks. */
export function declareRuns(declare: Declare, start: Start): void {
  declareFork(declare, start)
  declare('history', 'list the jobs and runs of this repository that have ended, newest first')
    .option('--all', 'include other repositories')
    .option('-n, --limit <n>', 'list at most this many (default: 20)', countFlag(100))
    .action((flags: HistoryFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/history.ts')).historyCommand(needs, flags)),
    )
  const runs = declare('runs', 'list, show and compare runs of playbooks').action(
    (_flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/runs.ts')).listRunsCommand(needs, undefined, {}),
      ),
  )
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
    .argument('[run]', RUN)
    .action((run: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/runs.ts')).showRunCommand(needs, run)),
    )
  runs
    .command('diff')
    .description('compare two runs: what they did, what it cost, and how their results differ')
    .argument('<run>', 'the run, by its ID')
    .argument('<other-run>', 'the other run, by its ID')
    .option('--patch', 'also print the diff between their files')
    .action((run: string, other: string, flags: CompareRunsFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/runs.ts')).compareRunsCommand(needs, run, other, flags),
      ),
    )
}

/** The commands that list the result of a run: its findings, artifacts and decisions. */
export function declareRunResults(declare: Declare, start: Start): void {
  declare('export', 'print or save the result of a run: summary, roles, errors, findings, cost and more')
    .argument('[run]', RUN)
    .addOption(
      new Option(
        '--format <format>',
        'print a Markdown document, or JSON for a program (default: markdown)',
      ).choices(['markdown', 'json']),
    )
    .option('--output <file>', 'write to this file, overwriting it')
    .action((run: string | undefined, flags: ExportFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/export.ts')).exportCommand(needs, run, flags),
      ),
    )
  declare('findings', "list a run's findings, with sources and who verified them")
    .argument('[run]', RUN)
    .action((run: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/run-results.ts')).findingsCommand(needs, run),
      ),
    )
  declare('artifacts', "list a run's changes and documents, with versions and verdicts")
    .argument('[run]', RUN)
    .action((run: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/run-results.ts')).artifactsCommand(needs, run),
      ),
    )
  declare('decisions', "list a run's decisions, with reasons and alternatives")
    .argument('[run]', RUN)
    .action((run: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/run-results.ts')).decisionsCommand(needs, run),
      ),
    )
}
