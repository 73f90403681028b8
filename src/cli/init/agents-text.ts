import { AGENT_EXAMPLES, type AgentExample } from './agent-examples.ts'

const COMMAND = [
  '#   mine:',
  '#     provider: command',
  '#     command: ["node", "tools/my-agent.mjs"]',
  '#     roles: [worker, planner]',
] as const

/** The agents of a muster.yaml: those that are installed, ready to work, and how to add one of one's own. */
export function agentsText(programs: readonly string[]): readonly string[] {
  const found = AGENT_EXAMPLES.filter((example) => programs.includes(example.program))
  const [first, ...others] = found
  return first === undefined ? nothingFound() : [...foundPart(first, others), '', ...plannerPart(first)]
}

function foundPart(first: AgentExample, others: readonly AgentExample[]): readonly string[] {
  return [
    '# Agents that were found on this machine. Each works with its own log-in; the first does the work unless you',
    '# or the planner name another.',
    'agents:',
    ...entry(first),
    ...commentedFields(others),
    ...others.flatMap(entry),
    '# Any other program can be one too. It starts in its own working tree with its task in the file named by',
    '# MUSTER_PROMPT_FILE, commits its work, and exits with 0.',
    ...COMMAND,
  ]
}

function entry({ name, provider }: AgentExample): readonly string[] {
  return [`  ${name}:`, `    provider: ${provider}`]
}

/** What every agent takes; shown once, at the first. */
function commentedFields(others: readonly AgentExample[]): readonly string[] {
  const [substitute] = others
  return [
    '    # model: some-model    # otherwise the one the program takes by itself',
    '    # permissions: ask     # ask: a person allows what goes beyond reading and editing. bypass: nobody is asked.',
    '    #                      # auto, which is usual: asks where no sandbox holds the agent',
    ...(substitute === undefined
      ? []
      : [`    # fallback: [${substitute.name}]    # takes its tasks while it is out of quota`]),
    '    # maxParallel: 2       # tasks it has at once',
  ]
}

function plannerPart({ name }: AgentExample): readonly string[] {
  return ['# Which agent looks at the repository and names the tasks.', `planner: { agent: ${name} }`]
}

/** Nothing may be configured then: a program that is installed later is found without a line here. */
function nothingFound(): readonly string[] {
  const names = AGENT_EXAMPLES.map((example) => example.program).join(', ')
  return [
    `# Agents. None of ${names} was found here; once one is installed, it is used without`,
    '# a line in this file. Any other program can be an agent too: it starts in its own working tree with its task in',
    '# the file named by MUSTER_PROMPT_FILE, commits its work, and exits with 0.',
    '# agents:',
    ...AGENT_EXAMPLES.slice(0, 1)
      .flatMap(entry)
      .map((line) => `# ${line}`),
    ...COMMAND,
    '',
    '# Which agent looks at the repository and names the tasks.',
    '# planner: { agent: mine }',
  ]
}
