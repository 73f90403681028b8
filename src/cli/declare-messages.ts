import type { Command } from 'commander'
import type {
  AskFlags,
  CompleteFlags,
  HandoffFlags,
  InboxFlags,
  ProgressFlags,
  SendFlags,
} from './commands/agent.ts'
import type { MessagesFlags } from './commands/messages.ts'
import { countFlag } from './parse/flag-parsers.ts'
import type { Handler } from './perform.ts'

type Start = (command: Command, handler: Handler) => Promise<void>

const MOST_SECONDS = 45
const KEY = [
  '--key <text>',
  'your own name for it: sent again under the same one, it is not sent twice',
] as const
const WAIT = ['--wait <seconds>', 'wait so long, at most 45 seconds'] as const

/** Reading and answering messages, for people. */
export function declareMessages(root: Command, start: Start): void {
  root
    .command('messages')
    .description('messages between agents, people and the engine')
    .argument('[agent]', "an agent's name, role:<role>, person, or a session")
    .option('--job <id>', 'only of this job')
    .option('--questions', 'only questions')
    .option('-n, --limit <n>', 'how many of the newest', countFlag(200))
    .addHelpText('after', '\nExamples:\n  $ muster messages\n  $ muster messages person --questions')
    .action((agent: string | undefined, flags: MessagesFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/messages.ts')).messagesCommand(needs, agent, flags),
      ),
    )
  root
    .command('answer')
    .description('answer a question of an agent, or reply to its message')
    .argument('<message>', 'its id; the beginning is enough')
    .argument('<text>', 'the answer, or - for standard input')
    .addHelpText('after', '\nExamples:\n  $ muster answer msg_m2x... "use the second one"')
    .action((message: string, text: string, _flags: unknown, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/messages.ts')).answerCommand(needs, message, text),
      ),
    )
}

/** For agents, from inside a session. */
export function declareAgent(root: Command, start: Start): void {
  const agent = root
    .command('agent')
    .description('for agents, from inside a session: read and write messages')
    .addHelpText(
      'after',
      '\nExamples:\n  $ muster agent inbox --wait 30\n  $ muster agent progress "tests pass"',
    )
  declareReading(agent, start)
  declareTalking(agent, start)
  declareEnding(agent, start)
}

function declareReading(agent: Command, start: Start): void {
  agent
    .command('inbox')
    .description('messages for you; each comes again until you acknowledge it')
    .option('--ack <id...>', 'say that these arrived')
    .option(...WAIT, countFlag(MOST_SECONDS))
    .action((flags: InboxFlags, command: Command) =>
      start(command, async (needs) => (await import('./commands/agent.ts')).agentInboxCommand(needs, flags)),
    )
  agent
    .command('skill')
    .description("the project's skills, or one of them whole")
    .argument('[name]', 'which one')
    .action((name: string | undefined, _flags: unknown, command: Command) =>
      start(command, async (needs) => (await import('./commands/agent.ts')).agentSkillCommand(needs, name)),
    )
}

function declareTalking(agent: Command, start: Start): void {
  agent
    .command('send')
    .description('write to a person, an agent, a role or a session of your job')
    .argument('<to>', 'person, agent:<name>, role:<role>, a session, or a message to reply to')
    .argument('<text>', 'the text, or - for standard input')
    .option('--subject <text>', 'what it is about')
    .option(...KEY)
    .action((to: string, text: string, flags: SendFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentSendCommand(needs, to, text, flags),
      ),
    )
  agent
    .command('ask')
    .description('ask a person, a role or your predecessor')
    .argument('<question>', 'the question, or - for standard input')
    .option('--to <address>', 'person (usual), role:<role>, agent:<name> or predecessor')
    .option('--subject <text>', 'what it is about')
    .option(...WAIT, countFlag(MOST_SECONDS))
    .option(...KEY)
    .action((question: string, flags: AskFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentAskCommand(needs, question, flags),
      ),
    )
  agent
    .command('progress')
    .description('say how far you are')
    .argument('<text>', 'the text, or - for standard input')
    .option('--percent <n>', 'how much is done', countFlag(100))
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
    .description('say that your task is done')
    .argument('<summary>', 'what you did, or - for standard input')
    .option('--answer <json>', 'the JSON object your role was asked to answer with')
    .option(...KEY)
    .action((summary: string, flags: CompleteFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentCompleteCommand(needs, summary, flags),
      ),
    )
  agent
    .command('handoff')
    .description('leave the rest to a fresh session')
    .argument('<summary>', 'what was done and found out, or - for standard input')
    .option('--next <text>', 'what is to be done next')
    .option('--reason <text>', 'why you hand over')
    .option('--to <agent>', 'who is to go on')
    .option(...KEY)
    .action((summary: string, flags: HandoffFlags, command: Command) =>
      start(command, async (needs) =>
        (await import('./commands/agent.ts')).agentHandoffCommand(needs, summary, flags),
      ),
    )
}
