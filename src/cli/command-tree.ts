import { Argument, Command, Option } from 'commander'
import { examplesText, OVERVIEW } from './command-help.ts'
import type { CancelFlags } from './commands/cancel.ts'
import type { DemoFlags } from './commands/demo.ts'
import type { EditFlags } from './commands/edit.ts'
import type { EventsFlags } from './commands/events.ts'
import type { InitFlags } from './commands/init.ts'
import type { ListFlags } from './commands/list.ts'
import type { ListKind } from './commands/list-problem.ts'
import type { LogsFlags } from './commands/logs.ts'
import type { ResumeFlags } from './commands/resume.ts'
import type { RunFlags } from './commands/run.ts'
import type { ServeFlags } from './commands/serve.ts'
import type { Declare, Start } from './declare.ts'
import { declareApprovals } from './declare-approvals.ts'
import { declareEvidence } from './declare-evidence.ts'
import { declareAgent, declareMessages } from './declare-messages.ts'
import { declareSessions } from './declare-sessions.ts'
import type { GlobalOptions } from './global-options.ts'
import {
  countFlag,
  dollarsFlag,
  durationFlag,
  pathFlag,
  repeatedFlag,
  urlFlag,
} from './parse/flag-parsers.ts'
import type { Perform } from './perform.ts'
import type { Surroundings } from './surroundings.ts'

type Needs = Pick<Surroundings, 'stdout' | 'version'>

/** Every command and flag. Handlers are loaded when their command runs, so that help is instant. */
export function createCommandTree(needs: Needs, perform: Perform): Command {
  const root = createRoot(needs)
  const declare: Declare = (name, description) =>
    root.command(name).description(description).addHelpText('after', examplesText(name))
  const start: Start = (command, handler) => perform(globalOptions(command), handler)
  declareRun(declare, start)
  declareSetUp(declare, start)
  declareReading(declare, start)
  declareFollowing(declare, start)
  declareControl(declare, start)
  declareSessions(declare, start)
  declareApprovals(declare, start)
  declareEvidence(declare, start)
  declareMessages(root, start)
  declareAgent(root, start)
  declareDaemon(declare, start)
  return root
}

function createRoot(needs: Needs): Command {
  return (
    new Command('muster')
      .description('Turns a goal into merged, tested commits by running many coding agents at once.')
      .version(needs.version, '-V, --version', 'print the version')
      .option('--json', 'machine output: one JSON value, or one a line when following')
      .option('--home <directory>', 'where Muster keeps everything (MUSTER_HOME)', pathFlag)
      .option('--server <url>', 'talk to this daemon and never start one', urlFlag)
      .option('--token-file <file>', 'file with the token for --server', pathFlag)
      .option('--no-color', 'no colours (NO_COLOR)')
      .option('-q, --quiet', 'only results and errors')
      .option('-v, --verbose', 'say more')
      .addHelpText('after', OVERVIEW)
      .helpCommand('help [command]', 'show help for a command')
      .configureHelp({ showGlobalOptions: true })
      // Errors are shown by the caller, in one form for people and one for programs.
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
    ...(given.home === undefined ? {} : { home: given.home }),
    ...(given.server === undefined ? {} : { server: given.server }),
    ...(given.tokenFile === undefined ? {} : { tokenFile: given.tokenFile }),
  }
}

function declareRun(declare: Declare, start: Start): void {
  declare('run', 'start a job on the repository you are in, and follow it')
    .argument('<goal>', 'what to reach: words, @file, or - for standard input')
    .option('-d, --detach', 'print the job and leave; it goes on in the background')
    .option('--max-cycles <n>', 'stop after so many cycles', countFlag(100_000))
    .option('--time-limit <duration>', 'stop after so long, for example 90m', durationFlag)
    .option('--parallel <n>', 'tasks worked on at once', countFlag(256))
    .option('--agent <name>', 'the agent that does the work')
    .option('--planner <name>', 'the agent that plans it')
    .option('--check <command>', 'must pass before anything lands (repeatable)', repeatedFlag)
    .option('--base <branch>', 'start from this branch instead of the one checked out')
    .option('--branch <name>', 'name of the working branch')
    .option('--budget <dollars>', 'stop when the agents have cost so much, for example 5.00', dollarsFlag)
    .addOption(
      new Option('--mode <mode>', 'who decides before something lands').choices([
        'auto',
        'review',
        'approve',
      ]),
    )
    .action((goal: string, flags: RunFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/run.ts')).runCommand(needs, goal, flags)),
    )
}

function declareSetUp(declare: Declare, start: Start): void {
  declare('init', 'write a commented muster.yaml for this repository')
    .option('--force', 'overwrite an existing one')
    .action((flags: InitFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/init.ts')).initCommand(needs, flags)),
    )
  declare('demo', 'see the whole of it work in a temporary repository, with scripted agents and no keys')
    .option('--keep', 'leave the repository and the daemon for you to look at')
    .action((flags: DemoFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/demo.ts')).demoCommand(needs, flags)),
    )
  declare('doctor', 'check this machine and say what to do about what is amiss').action(
    (_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/doctor.ts')).doctorCommand(needs)),
  )
}

function declareReading(declare: Declare, start: Start): void {
  declare('status', 'what runs and what waits for you')
    .argument('[id]', 'a job; the beginning of its id is enough')
    .action((id: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/status.ts')).statusCommand(needs, id)),
    )
  declare('list', 'tables')
    .addArgument(
      new Argument('<what>', 'which table').choices([
        'jobs',
        'tasks',
        'landings',
        'sessions',
        'agents',
        'projects',
      ]),
    )
    .option('--job <id>', 'only of this job (tasks, landings, sessions)')
    .option('--user <name>', 'only of this person (jobs)')
    .option('--status <status>', 'only these (jobs, landings)')
    .option('--agent <name>', 'only of this agent (sessions)')
    .option('--role <role>', 'only of this role (sessions)')
    .option('--resumable', 'only those whose conversation can be gone on with (sessions)')
    .option('-n, --limit <n>', 'how many', countFlag(200))
    .action((what: ListKind, flags: ListFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/list.ts')).listCommand(needs, what, flags)),
    )
  declare('show', 'one thing whole: a job, a task, a session, a landing or an approval')
    .argument('<id>', 'its id; the beginning is enough')
    .action((id: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/show.ts')).showCommand(needs, id)),
    )
}

function declareFollowing(declare: Declare, start: Start): void {
  declare('watch', 'follow a job until it is over, as the command that started it does')
    .argument('[id]', 'a job; the newest open one of this repository when left out')
    .action((id: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/watch.ts')).watchCommand(needs, id)),
    )
  declare('logs', 'what the agents of a job, a task or a session said')
    .argument('<id>', 'a job, a task or a session; the beginning of its id is enough')
    .option('-f, --follow', 'go on as more is said')
    .option('-n, --lines <n>', 'how many of the latest lines', countFlag(1000))
    .action((id: string, flags: LogsFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/logs.ts')).logsCommand(needs, id, flags)),
    )
  declare('events', 'the events of a job, a task or a session, or with -f of everything')
    .argument('[id]', 'a job, a task or a session; the beginning of its id is enough')
    .option('-f, --follow', 'go on as more happens')
    .option('-n, --lines <n>', 'how many of the latest events', countFlag(1000))
    .action((id: string | undefined, flags: EventsFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/events.ts')).eventsCommand(needs, id, flags)),
    )
}

function declareControl(declare: Declare, start: Start): void {
  declare('pause', 'let what runs end, start nothing new, and rest')
    .argument('<id>', 'the job')
    .action((id: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/pause.ts')).pauseCommand(needs, id)),
    )
  declare('resume', 'let a paused job or a resting session go on')
    .argument('<id>', 'the job or the session')
    .option('--message <text>', 'what a session is told instead of the usual words')
    .action((id: string, flags: ResumeFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/resume.ts')).resumeCommand(needs, id, flags)),
    )
  declare(
    'edit',
    'change the goal of a job, or the tasks you want, from its next cycle on; or see what was changed',
  )
    .argument('<id>', 'the job')
    .option('--goal <text>', 'the new goal: words, @file, or - for standard input')
    .option('--tasks <text>', 'the tasks you want: words, @file, or - for standard input; "" for none')
    .action((id: string, flags: EditFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/edit.ts')).editCommand(needs, id, flags)),
    )
  declare('cancel', 'end a job; what has landed stays')
    .argument('<id>', 'the job')
    .option('--reason <text>', 'why, for the record')
    .action((id: string, flags: CancelFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/cancel.ts')).cancelCommand(needs, id, flags)),
    )
}

function declareDaemon(declare: Declare, start: Start): void {
  declare('serve', 'run the daemon in the foreground')
    .option('--port <n>', 'listen on this port instead of a free one', countFlag(65_535))
    .option('--background', 'started by another command: say nothing')
    .action((flags: ServeFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/serve.ts')).serveCommand(needs, flags)),
    )
  declare('shutdown', 'stop the daemon; agents at work go on and the next daemon finds them').action(
    (_flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/shutdown.ts')).shutdownCommand(needs)),
  )
}
