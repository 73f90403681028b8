import type { Command } from 'commander'
import { examplesText } from './command-help.ts'
import type { AskSessionFlags } from './commands/ask.ts'
import type { AttachFlags } from './commands/attach.ts'
import type { SessionStartFlags } from './commands/session/start.ts'
import type { StopFlags } from './commands/stop.ts'
import type { SuspendFlags } from './commands/suspend.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'

const LEAST_SECONDS = 10
const MOST_SECONDS = 300
const SESSION = ['<session>', 'its id; the beginning is enough'] as const
const REASON = ['--reason <text>', 'why, for the record'] as const

/** Sessions of one's own, and speaking to any of them. */
export function declareSessions(declare: Declare, start: Start): void {
  declareOpening(declare, start)
  declareTalking(declare, start)
  declareEnding(declare, start)
}

function declareOpening(declare: Declare, start: Start): void {
  declare('session', 'sessions of your own: one agent in a working tree of its own')
    .command('start')
    .description('open one on the repository you are in, and stay with it until it has answered')
    .argument('[prompt]', 'what it is to do: words, @file, or - for standard input')
    .option('--agent <name>', 'which agent')
    .option('--role <role>', 'the first agent of this role')
    .option('--base <branch>', 'start from this branch instead of the one checked out')
    .option('-i, --interactive', "the agent's own screen, for you to sit down at")
    .option('-d, --detach', 'print the session and leave; it goes on in the background')
    .addHelpText('after', examplesText('session'))
    .action((prompt: string | undefined, flags: SessionStartFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/session/start.ts')).sessionStartCommand(needs, prompt, flags),
      ),
    )
  declare('attach', "sit down at a session's own terminal")
    .argument(...SESSION)
    .option('--read-only', 'only look')
    .option('--take', 'take the keyboard from whoever has it')
    .action((id: string, flags: AttachFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/attach.ts')).attachCommand(needs, id, flags)),
    )
}

function declareTalking(declare: Declare, start: Start): void {
  declare('send', 'say something to a session; after the turn it is in, if it is in one')
    .argument(...SESSION)
    .argument('<text>', 'the words, or - for standard input')
    .action((id: string, text: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/send.ts')).sendCommand(needs, id, text)),
    )
  declare('interrupt', 'break off the turn a session is in')
    .argument(...SESSION)
    .action((id: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/interrupt.ts')).interruptCommand(needs, id)),
    )
  declare('ask', 'ask a session that rests or is over what it knows, and wait for the answer')
    .argument('<whom>', 'a session, a role, or agent:<name>')
    .argument('<question>', 'the words, or - for standard input')
    .option('--job <id>', 'only sessions of this job, when asking a role or an agent')
    .option(
      '--timeout <seconds>',
      'how long to wait: 10 to 300, usually 60',
      countFlag(MOST_SECONDS, LEAST_SECONDS),
    )
    .action((whom: string, question: string, flags: AskSessionFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/ask.ts')).askCommand(needs, whom, question, flags),
      ),
    )
}

function declareEnding(declare: Declare, start: Start): void {
  declare('suspend', 'let a session rest: its program is stopped, its tree and its conversation stay')
    .argument(...SESSION)
    .option(...REASON)
    .action((id: string, flags: SuspendFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/suspend.ts')).suspendCommand(needs, id, flags),
      ),
    )
  declare('stop', 'end a session, or a job')
    .argument('<id>', 'a session or a job; the beginning of its id is enough')
    .option(...REASON)
    .action((id: string, flags: StopFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/stop.ts')).stopCommand(needs, id, flags)),
    )
  declare('kill', 'the same at once, without asking the program first')
    .argument('<id>', 'a session or a job; the beginning of its id is enough')
    .option(...REASON)
    .action((id: string, flags: StopFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/stop.ts')).killCommand(needs, id, flags)),
    )
}
