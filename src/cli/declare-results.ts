import { type Command, Option } from 'commander'
import type { DiffFlags } from './commands/diff.ts'
import type { MergeFlags } from './commands/merge.ts'
import type { PrFlags } from './commands/pr.ts'
import type { ReportFlags } from './commands/report.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag, urlFlag } from './parse/flag-parsers.ts'
import { FORGES } from './pull-request/forge.ts'

/** The commands that show a job's results and merge them. */
export function declareResults(declare: Declare, start: Start): void {
  declare('report', 'show what a job did, with its evidence, cost and open problems')
    .argument('[job or project]', 'a job, or a project by ID, name or path (default: the current repository)')
    .option('-n, --limit <n>', "report on this many of a project's newest jobs (default: 1)", countFlag(20))
    .addOption(new Option('--format <format>', 'print text or Markdown').choices(['text', 'markdown']))
    .action((id: string | undefined, flags: ReportFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/report.ts')).reportCommand(needs, id, flags)),
    )
  declare('diff', 'show what a task, a session, a job or a pending landing changes')
    .argument('[id]', 'a task, session, job or approval, by ID, name or title (default: the newest job)')
    .option('--stat', 'show only which files change, and how much')
    .option('--with-task-list', "in a job's diff, also show TASKLIST.md, which a merge leaves out")
    .action((id: string | undefined, flags: DiffFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/diff.ts')).diffCommand(needs, id, flags)),
    )
  declare('merge', "merge a job's work into its base branch, after checks")
    .argument('[job]', 'the job, by its ID or part of its title (default: the newest of this repository)')
    .option('--checkout', 'if the base branch is checked out, update that checkout without asking')
    .option('--with-task-list', 'also merge TASKLIST.md, which is left out by default')
    .option('--with-uncommitted', 'also merge the uncommitted changes that the job started from')
    .option('--squash', "merge as one commit, without the working branch's history")
    .action((id: string | undefined, flags: MergeFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/merge.ts')).mergeCommand(needs, id, flags)),
    )
  declarePr(declare, start)
}

function declarePr(declare: Declare, start: Start): void {
  declare('pr', "push a job's work and open a pull request on GitHub or GitLab")
    .argument('[job]', 'the job, by its ID or part of its title (default: the newest of this repository)')
    .option('--remote <name>', 'remote to push to (default: origin, or the only remote)')
    .option('--base <branch>', "branch to merge into (default: the job's base branch)")
    .option('--branch <name>', "branch to push to (default: the job's working branch)")
    .option('--title <text>', 'title (default: the first line of the goal)')
    .option('--draft', 'open it as a draft')
    .option('--dry-run', 'show what would be pushed and opened, without doing it')
    .option('--with-task-list', 'include TASKLIST.md, which is left out by default')
    .option('--with-uncommitted', 'include the uncommitted changes that the job started from')
    .addOption(new Option('--forge <kind>', 'type of server that hosts the remote').choices(FORGES))
    .option('--api-url <url>', "address of that server's API, if it is not the usual one", urlFlag)
    .action((id: string | undefined, flags: PrFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/pr.ts')).prCommand(needs, id, flags)),
    )
}
