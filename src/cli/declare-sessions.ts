import { type Command, Option } from 'commander'
import { SESSION_LIMITS } from '../domain/limits/session-limits.ts'
import { MESSAGE_PRIORITIES, MESSAGE_TYPES } from '../domain/message/message-type.ts'
import { examplesText } from './command-help.ts'
import type { AskSessionFlags } from './commands/ask.ts'
import type { AttachFlags } from './commands/attach.ts'
import type { SendFlags } from './commands/send.ts'
import type { SessionStartFlags } from './commands/session/start.ts'
import type { StopFlags } from './commands/stop.ts'
import type { SuspendFlags } from './commands/suspend.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

const SESSION = ['<session>', 'the session, by its ID, or the task it works on'] as const
const REASON = ['--reason <text>', 'reason, for the record'] as const

/** The commands that open, control and end sessions. */
export function declareSessions(declare: Declare, start: Start): void {
  declareOpening(declare, start)
  declareConversation(declare, start)
  declareEnding(declare, start)
}

function declareOpening(declare: Declare, start: Start): void {
  declare('session', 'open a personal session: one agent in its own working tree')
    .command('start')
    .description('open a session in the current repository and follow it until the agent has answered')
    .argument('[prompt]', 'what to do: text (@@ for a leading @), @file, or - for standard input')
    .option('--agent <name>', 'agent to use')
    .option('--role <role>', 'use the first agent with this role')
    .option('--base <branch>', 'start from this branch instead of the checked-out one')
    .option('-i, --interactive', "open the program's own terminal UI and attach to it")
    .option('-d, --detach', 'start the session in the background and exit')
    .addHelpText('after', examplesText('session'))
    .action((prompt: string | undefined, flags: SessionStartFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/session/start.ts')).sessionStartCommand(needs, prompt, flags),
      ),
    )
  declare('attach', "attach to a session's terminal")
    .argument(
      '[session]',
      'the session, by its ID, or a role of the newest run (default: the only one with a terminal)',
    )
    .option('--run <run>', 'run that the role belongs to; a task or job means its newest run')
    .option('--read-only', 'watch without typing')
    .option('--take', 'take the keyboard from whoever has it')
    .action((id: string | undefined, flags: AttachFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/attach.ts')).attachCommand(needs, id, flags)),
    )
}

function declareConversation(declare: Declare, start: Start): void {
  declare('send', 'send text to a session after its current turn, or a message to the roles of a run')
    .argument(
      '<whom>',
      'a session or the task it works on; role:<role>, agent:<name> or broadcast in a run; or a run (everyone in it)',
    )
    .argument('<text>', 'the text, or - for standard input')
    .option('--run <run>', "run that the role or agent works on (default: the newest job's)")
    .addOption(new Option('--type <type>', 'what the message is about').choices(MESSAGE_TYPES))
    .addOption(new Option('--priority <priority>', 'how urgent it is').choices(MESSAGE_PRIORITIES))
    .option('--subject <text>', 'subject of the message')
    .action((whom: string, text: string, flags: SendFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/send.ts')).sendCommand(needs, whom, text, flags),
      ),
    )
  declare('interrupt', "interrupt a session's current turn")
    .argument(...SESSION)
    .action((id: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/interrupt.ts')).interruptCommand(needs, id)),
    )
  declare('ask', 'ask a suspended or finished session a question and wait for the answer')
    .argument('<whom>', 'a session, a role, or agent:<name>')
    .argument('<question>', 'the question, or - for standard input')
    .option('--job <id>', 'when asking a role or an agent, only consider sessions of this job')
    .option(
      '--timeout <seconds>',
      'how long to wait, 10 to 300 (default: 60)',
      countFlag(SESSION_LIMITS.mostQuestionSeconds, SESSION_LIMITS.leastQuestionSeconds),
    )
    .action((whom: string, question: string, flags: AskSessionFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/ask.ts')).askCommand(needs, whom, question, flags),
      ),
    )
}

function declareEnding(declare: Declare, start: Start): void {
  declare('suspend', 'suspend a session: stop its program, keep its tree and conversation')
    .argument(...SESSION)
    .option(...REASON)
    .action((id: string, flags: SuspendFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/suspend.ts')).suspendCommand(needs, id, flags),
      ),
    )
  declare('stop', 'end a session or a run, or cancel a job')
    .argument('[id]', 'a session or a run by its ID, or a job by its ID or title (required)')
    .usage('[options] <id>')
    .option(...REASON)
    .action((id: string | undefined, flags: StopFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/stop.ts')).stopCommand(needs, id, flags)),
    )
  declare(
    'kill',
    'kill the programs of a session or a run and end it, or cancel a job as `muster cancel` does',
  )
    .argument('[id]', 'a session or a run by its ID, or a job by its ID or title (required)')
    .usage('[options] <id>')
    .option(...REASON)
    .action((id: string | undefined, flags: StopFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/stop.ts')).killCommand(needs, id, flags)),
    )
}
