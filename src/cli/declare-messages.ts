import { type Command, Option } from 'commander'
import { MESSAGE_LIMITS } from '../domain/limits/message-limits.ts'
import { MESSAGE_PRIORITIES, MESSAGE_TYPES } from '../domain/message/message-type.ts'
import type {
  AskFlags,
  CompleteFlags,
  HandoffFlags,
  InboxFlags,
  ProgressFlags,
  SendFlags,
  ThreadFlags,
} from './commands/agent.ts'
import type { MessagesFlags } from './commands/messages.ts'
import type { Declare, Start } from './declare.ts'
import { countFlag } from './parse/flag-parsers.ts'
import { sinceFlag } from './parse/since-flag.ts'

const KEY = ['--key <text>', 'idempotency key: a message with the same key is sent only once'] as const
const DEADLINE = [
  '--deadline <time>',
  'expect a reply by this time: a duration such as 15m, or an ISO 8601 time',
] as const
const WAIT_FLAG = '--wait <seconds>'
const WAIT = 'wait up to this many seconds (at most 45)'

/** A new one for each command, because each is told its own default. */
const priorityOption = () =>
  new Option('--priority <priority>', 'how urgent it is').choices(MESSAGE_PRIORITIES)

/** The commands with which people read and answer messages. */
export function declareMessages(declare: Declare, start: Start): void {
  declare('messages', 'read the conversation of a run, or list messages between agents, people and Muster')
    .argument(
      '[id]',
      "a run or a task (its conversation), a job, a session (messages to and from it), a message (its whole text), an agent, a role, or person (default: the newest job's run)",
    )
    .option('--all', 'list the newest messages of all jobs')
    .addOption(new Option('--type <type>', 'only messages of this type').choices(MESSAGE_TYPES))
    .option('--role <role>', 'only messages from or to this role')
    .option('--thread <id>', 'only the conversation that this message belongs to')
    .option(
      '--since <time>',
      'only messages since this time: a duration such as 10m or 2h, or an ISO 8601 time',
      sinceFlag,
    )
    .option('--job <id>', 'only messages of this job')
    .option('--questions', 'only questions')
    .option('-n, --limit <n>', 'list only the newest n', countFlag(200))
    .action((agent: string | undefined, flags: MessagesFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/messages.ts')).messagesCommand(needs, agent, flags),
      ),
    )
  declare('answer', "answer an agent's question, or reply to its message")
    .argument(
      '[question]',
      'the message by its ID, or the task or session that asked (default: the only question)',
    )
    .argument('[text]', 'the answer, or - for standard input (required)')
    .usage('[options] [question] <text>')
    .action((first: string | undefined, second: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/messages.ts')).answerCommand(needs, first, second),
      ),
    )
}

/** The commands that agents use inside a session. */
export function declareAgent(declare: Declare, start: Start): void {
  const agent = declare('agent', 'read and send messages from inside a session (for agents)')
  declareReading(agent, start)
  declareConversation(agent, start)
  declareEnding(agent, start)
}

function declareReading(agent: Command, start: Start): void {
  agent
    .command('inbox')
    .description('list messages for you; each is listed again until you acknowledge it')
    .option('--ack <id...>', 'acknowledge these messages')
    .option(WAIT_FLAG, `${WAIT} for a message`, countFlag(MESSAGE_LIMITS.waitSeconds))
    .action((flags: InboxFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/agent.ts')).agentInboxCommand(needs, flags)),
    )
  agent
    .command('thread')
    .description('read the conversation of your run')
    .addOption(new Option('--type <type>', 'only messages of this type').choices(MESSAGE_TYPES))
    .option('--role <role>', 'only messages from or to this role')
    .option('-n, --limit <n>', 'only the newest n', countFlag(200))
    .action((flags: ThreadFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/agent.ts')).agentThreadCommand(needs, flags)),
    )
  agent
    .command('read')
    .description('read one message with its whole text')
    .argument('<message>', 'the message, by its ID')
    .action((message: string, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/agent.ts')).agentReadCommand(needs, message)),
    )
  agent
    .command('skill')
    .description("list the project's skills, or print one")
    .argument('[name]', 'the skill to print')
    .action((name: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/agent.ts')).agentSkillCommand(needs, name)),
    )
}

function declareConversation(agent: Command, start: Start): void {
  agent
    .command('send')
    .description('send a message to a person, an agent, a role or a session of your job')
    .argument(
      '<to>',
      'person, agent:<name>, role:<role>, a session, or a message to reply to; in a run also broadcast or orchestrator',
    )
    .argument('<text>', 'the text, or - for standard input')
    .option('--subject <text>', 'subject of the message')
    .addOption(new Option('--type <type>', 'what the message is about').choices(MESSAGE_TYPES))
    .addOption(priorityOption())
    .option('--requires-response', 'expect a reply')
    .option(...DEADLINE)
    .option(...KEY)
    .action((to: string, text: string, flags: SendFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentSendCommand(needs, to, text, flags),
      ),
    )
  agent
    .command('ask')
    .description('ask a person, a role, an agent or your predecessor a question')
    .argument('<question>', 'the question, or - for standard input')
    .option('--to <address>', 'person (default), role:<role>, agent:<name> or predecessor')
    .option('--subject <text>', 'subject of the message')
    .addOption(priorityOption())
    .option(...DEADLINE)
    .option(WAIT_FLAG, `${WAIT} for the answer`, countFlag(MESSAGE_LIMITS.waitSeconds))
    .option(...KEY)
    .action((question: string, flags: AskFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentAskCommand(needs, question, flags),
      ),
    )
  agent
    .command('progress')
    .description('report your progress')
    .argument('<text>', 'the text, or - for standard input')
    .option('--percent <n>', 'how much is done, in percent', countFlag(100))
    .option(...KEY)
    .action((text: string, flags: ProgressFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentProgressCommand(needs, text, flags),
      ),
    )
}

function declareEnding(agent: Command, start: Start): void {
  agent
    .command('complete')
    .description('report that your task is done')
    .argument('<summary>', 'what you did, or - for standard input')
    .option('--answer <json>', 'the JSON object that your prompt asks for')
    .option(...KEY)
    .action((summary: string, flags: CompleteFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentCompleteCommand(needs, summary, flags),
      ),
    )
  agent
    .command('handoff')
    .description('hand the remaining work over to a fresh session')
    .argument('<summary>', 'what you did and learned, or - for standard input')
    .option('--next <text>', 'what to do next')
    .option('--reason <text>', 'why you are handing over')
    .option('--to <agent>', 'agent that should continue')
    .option(...KEY)
    .action((summary: string, flags: HandoffFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentHandoffCommand(needs, summary, flags),
      ),
    )
}
