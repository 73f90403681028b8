import { Argument, Command, Help } from 'commander'
import type { WireBaseDecision } from '../client/index.ts'
import { EXIT_CODES, examplesText, overviewText } from './command-help.ts'
import type { CancelFlags } from './commands/cancel.ts'
import type { DemoFlags } from './commands/demo.ts'
import type { EditFlags } from './commands/edit.ts'
import type { EventsFlags } from './commands/events.ts'
import type { InitFlags } from './commands/init.ts'
import type { ListFlags } from './commands/list.ts'
import type { LogsFlags } from './commands/logs.ts'
import type { ResumeFlags } from './commands/resume.ts'
import type { RunFlags } from './commands/run.ts'
import type { TrustFlags } from './commands/trust.ts'
import type { Declare, Perform, Start } from './declare.ts'
import { declareApprovals } from './declare-approvals.ts'
import { declareDaemon } from './declare-daemon.ts'
import { declareAgent, declareMessages } from './declare-messages.ts'
import { declareNotify } from './declare-notify.ts'
import { declarePlaybooks } from './declare-playbooks.ts'
import { declareRecords } from './declare-records.ts'
import { declareResults } from './declare-results.ts'
import { declareRunResults, declareRuns } from './declare-runs.ts'
import { declareSessions } from './declare-sessions.ts'
import { declareRun, declareStart } from './declare-start.ts'
import type { GlobalOptions } from './global-options.ts'
import { countFlag, pathFlag, urlFlag } from './parse/flag-parsers.ts'
import { LISTS, type ListKind, listKind } from './parse/list-kind.ts'
import { sinceFlag } from './parse/since-flag.ts'
import type { Surroundings } from './surroundings.ts'

type Needs = Pick<Surroundings, 'stdout' | 'version'>

/** Every command and flag. A handler is loaded when its command runs, so help is instant. */
export function createCommandTree(needs: Needs, perform: Perform, isHelpFull = false): Command {
  const root = createRoot(needs, isHelpFull)
  const declare: Declare = (name, description) =>
    root.command(name).description(description).addHelpText('after', examplesText(name))
  const start: Start = (command, handler) => perform(globalOptions(command), handler)
  declareRun(declare, start)
  declareStart(declare, start)
  declareSetUp(declare, start)
  declareReading(declare, start)
  declareFollowing(declare, start)
  declareControl(declare, start)
  declareSessions(declare, start)
  declareApprovals(declare, start)
  declareResults(declare, start)
  declarePlaybooks(declare, start)
  declareRuns(declare, start)
  declareRunResults(declare, start)
  declareMessages(declare, start)
  declareAgent(declare, start)
  declareRecords(declare, start)
  declareDaemon(declare, start)
  return root
}

function createRoot(needs: Needs, isHelpFull: boolean): Command {
  return (
    new Command('muster')
      .description('Turns a goal into merged, tested commits by running many coding agents at once.')
      .version(needs.version, '-V, --version', 'print the version')
      .option('--json', 'print JSON: one value, or one per line when following')
      .option('--home <directory>', "directory for all of Muster's data (MUSTER_HOME)", pathFlag)
      .option('--server <url>', 'use this daemon; never start one', urlFlag)
      .option('--token-file <file>', 'file with the token for --server', pathFlag)
      .option('--no-color', 'print without colours (NO_COLOR)')
      .option('--no-pager', 'print long output without a pager (MUSTER_PAGER, PAGER)')
      .option('-q, --quiet', 'print only results and errors')
      .option('-v, --verbose', 'print more detail')
      .addHelpText('after', isHelpFull ? EXIT_CODES : '')
      .helpOption('-h, --help', 'show this help')
      .helpCommand('help [command]', 'show help for a command')
      .configureHelp({
        showGlobalOptions: true,
        // Terminals may be narrow; the parser's own limit leaves text unwrapped below 40 columns beside the flags.
        minWidthToWrap: 20,
        formatHelp: (command, helper) =>
          command.parent === null && !isHelpFull
            ? overviewText(needs.stdout.columns)
            : Help.prototype.formatHelp.call(helper, command, helper),
      })
      // The caller prints errors, as text for people or as JSON for programs.
      .configureOutput({
        writeOut: (text) => needs.stdout.write(text),
        writeErr: () => {},
        outputError: () => {},
      })
      .exitOverride()
  )
}

function globalOptions(command: Command): GlobalOptions {
  const given = command.optsWithGlobals<Partial<GlobalOptions>>()
  return {
    json: given.json === true,
    quiet: given.quiet === true,
    verbose: given.verbose === true,
    color: given.color !== false,
    pager: given.pager !== false,
    ...(given.home === undefined ? {} : { home: given.home }),
    ...(given.server === undefined ? {} : { server: given.server }),
    ...(given.tokenFile === undefined ? {} : { tokenFile: given.tokenFile }),
  }
}

function declareSetUp(declare: Declare, start: Start): void {
  declare('init', 'write a commented muster.yaml for this repository')
    .option('--force', 'overwrite an existing muster.yaml')
    .action((flags: InitFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/init.ts')).initCommand(needs, flags)),
    )
  declare('trust', "show what a repository's muster.yaml would do on this machine, and ask you to allow it")
    .argument('[path]', 'the repository (default: the current one)')
    .option('--yes', 'trust without asking')
    .option('--list', 'list the repositories that you trust')
    .option('--revoke', 'stop trusting the repository')
    .action((path: string | undefined, flags: TrustFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/trust.ts')).trustCommand(needs, path, flags)),
    )
  declare('demo', 'run a demo with scripted agents in a temporary repository; no keys needed')
    .option('--keep', 'keep the repository, and leave the daemon running')
    .action((flags: DemoFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/demo.ts')).demoCommand(needs, flags)),
    )
  declare('doctor', 'diagnose this machine and suggest fixes').action((_flags: unknown, command: Command) =>
    start(command, async (needs) => (await import('./commands/doctor.ts')).doctorCommand(needs)),
  )
}

function declareReading(declare: Declare, start: Start): void {
  declare('status', 'show what is running and what is waiting for you')
    .argument('[id]', 'a job by its ID or part of its title, or a run')
    .action((id: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/status.ts')).statusCommand(needs, id)),
    )
  declare('list', 'list jobs, tasks, landings, sessions, agents, projects, runs or playbooks')
    .addArgument(new Argument('[what]', 'what to list').choices(LISTS).argParser(listKind).default('jobs'))
    .option('--job <id>', 'filter by job (tasks, landings, sessions, runs)')
    .option('--user <name>', 'filter by the person who started the job (jobs)')
    .option('--status <status>', 'filter by status (jobs, landings)')
    .option('--agent <name>', 'filter by agent (sessions)')
    .option('--role <role>', 'filter by role (sessions)')
    .option('--resumable', 'only those that can be resumed (sessions)')
    .option('--askable', 'only those that can be asked a question (sessions)')
    .option('--all', 'include checks and everything that has ended (sessions)')
    .option('-n, --limit <n>', 'list at most this many', countFlag(200))
    .action((what: ListKind, flags: ListFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/list.ts')).listCommand(needs, what, flags)),
    )
  declare('show', 'show the details of a job, task, run, session, landing or approval')
    .argument('[id]', 'an ID, a task such as t1-2, or part of a title (default: the newest job)')
    .action((id: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/show.ts')).showCommand(needs, id)),
    )
}

function declareFollowing(declare: Declare, start: Start): void {
  declareNotify(declare('watch', 'follow a job or a run until it ends'))
    .argument('[id]', 'a job or a run (default: the newest open job of this repository)')
    .action((id: string | undefined, flags: RunFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/watch.ts')).watchCommand(needs, id, flags)),
    )
  declare(
    'logs',
    'print what you and the agents said in a job, task, run or session; with -v, also the results of tools',
  )
    .argument('[id]', 'a job, task, run or session, or a role of the newest run (default: the newest job)')
    .argument('[role]', 'print only what this role of the run said')
    .option('--run <run>', 'run that the role belongs to; a task or job means its newest run')
    .option('-f, --follow', 'keep printing new output')
    .option('-n, --lines <n>', 'print only the last n lines', countFlag(1000))
    .option(
      '--since <time>',
      'print only what was said since this time: a duration such as 10m or 2h, or an ISO 8601 time',
      sinceFlag,
    )
    .option('--timestamps', 'print the time before each line')
    .action((id: string | undefined, role: string | undefined, flags: LogsFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/logs.ts')).logsCommand(needs, id, role, flags),
      ),
    )
  declare('events', 'print the events of a job, task or session; with -f and no ID, all events')
    .argument('[id]', 'a job, task or session, by ID, name or title (default: the newest job)')
    .option('-f, --follow', 'keep printing new events')
    .option('-n, --lines <n>', 'print only the last n events', countFlag(1000))
    .action((id: string | undefined, flags: EventsFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/events.ts')).eventsCommand(needs, id, flags)),
    )
}

function declareControl(declare: Declare, start: Start): void {
  declare('pause', 'pause a job: let running agents finish, start nothing new')
    .argument('[id]', 'the job (default: the newest of this repository)')
    .action((id: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/pause.ts')).pauseCommand(needs, id)),
    )
  declare(
    'resume',
    'resume a paused job, a suspended session, or a stopped run; also retries agents that were not logged in',
  )
    .argument('[id]', 'the job, session or run (default: the newest job of this repository)')
    .option('--message <text>', 'message to send to the session instead of the default one')
    .action((id: string | undefined, flags: ResumeFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/resume.ts')).resumeCommand(needs, id, flags)),
    )
  declare(
    'edit',
    "change a job's goal or requested tasks, starting with its next cycle, or show the history of both",
  )
    .argument('[id]', 'the job (default: the newest of this repository)')
    .option('--goal <text>', 'new goal: text (@@ for a leading @), @file, or - for standard input')
    .option(
      '--tasks <text>',
      'requested tasks: text (@@ for a leading @), @file, or - for standard input; "" for none',
    )
    .action((id: string | undefined, flags: EditFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/edit.ts')).editCommand(needs, id, flags)),
    )
  declare('base', "show the check results of a job's base, or decide what to do if they fail")
    .argument('[id]', 'the job (default: the newest of this repository)')
    .addArgument(
      new Argument(
        '[decision]',
        'continue: reject work only for new failures; fix: fix the base first; retry: check the base again; stop: cancel the job',
      ).choices(['continue', 'fix', 'retry', 'stop']),
    )
    .action(
      (id: string | undefined, decision: WireBaseDecision | undefined, _flags: unknown, command: Command) =>
        start(command, async (needs) =>
          (await import('./commands/base.ts')).baseCommand(needs, id, decision),
        ),
    )
  declare('cancel', 'cancel a job; landed work stays on its branch')
    .argument('[id]', 'the job, by its ID or part of its title')
    .usage('[options] <id>')
    .option('--reason <text>', 'reason, for the record')
    .action((id: string | undefined, flags: CancelFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/cancel.ts')).cancelCommand(needs, id, flags)),
    )
}
