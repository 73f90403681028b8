import { AGENT_EXAMPLES, type AgentExample } from './agent-examples.ts'

const COMMAND = [
  '#   mine:',
  '#     provider: command',
  '#     command: ["node", "tools/my-agent.mjs"]',
  '#     roles: [worker, planner]',
] as const

const REVIEWER_ROLES = '    roles: [worker, planner, reviewer]'

/** The agents in a muster.yaml: those that are installed, and an example of another program. */
export function agentsText(programs: readonly string[], hasOwnAgents: boolean): readonly string[] {
  if (hasOwnAgents) return ownAgents()
  const found = AGENT_EXAMPLES.filter((example) => programs.includes(example.program))
  const [first, ...others] = found
  // A program is not the best judge of its own work.
  const reviewer = others[0] ?? first
  return first === undefined
    ? nothingFound()
    : [...foundPart(first, others, reviewer), '', ...plannerPart(first)]
}

function foundPart(
  first: AgentExample,
  others: readonly AgentExample[],
  reviewer: AgentExample | undefined,
): readonly string[] {
  const withRoles = (example: AgentExample) => [
    ...entry(example),
    ...(example === reviewer ? [REVIEWER_ROLES] : []),
  ]
  return [
    '# Agents found on this machine. Each uses its own login. The first one does the work unless you or the planner',
    '# choose another. With "muster run --mode review", the one with the role reviewer judges each result.',
    'agents:',
    ...withRoles(first),
    ...commentedFields(others),
    ...others.flatMap(withRoles),
    '# Any other program can be an agent. It starts in its own working tree with its task in the file that',
    '# MUSTER_PROMPT_FILE names, commits its work, and exits with 0.',
    ...COMMAND,
  ]
}

function entry({ name, provider }: AgentExample): readonly string[] {
  return [`  ${name}:`, `    provider: ${provider}`]
}

/** Fields of every agent, shown at the first one. */
function commentedFields(others: readonly AgentExample[]): readonly string[] {
  const [substitute] = others
  return [
    '    # model: some-model    # default: the program chooses',
    '    # permissions: ask     # ask: asks before anything except reading and editing; bypass: never asks;',
    '    #                      # auto (default): asks only without a sandbox',
    ...(substitute === undefined
      ? []
      : [`    # fallback: [${substitute.name}]    # gets its tasks while it is out of quota`]),
    '    # maxParallel: 2       # sessions at once, across all jobs',
  ]
}

function plannerPart({ name }: AgentExample): readonly string[] {
  return [
    '# The agent that reads the repository and lists the tasks. By default, the one that works also plans.',
    `# planner: { agent: ${name} }`,
  ]
}

/** Configures no agent: agents in this file would come before the person's own, and they are not for everyone. */
function ownAgents(): readonly string[] {
  return [
    '# Agents for everyone who works on this repository. Without them, the agents in your own',
    '# ~/.config/muster/config.yaml do the work, and then any supported program that is installed.',
    ...examples(),
  ]
}

/** Configures no agent, so that a program that is installed later is found automatically. */
function nothingFound(): readonly string[] {
  const names = AGENT_EXAMPLES.map((example) => example.program).join(', ')
  return [
    `# Agents. None of ${names} was found. Once one is installed, it is used`,
    '# automatically. Any other program can be an agent. It starts in its own working tree with its task in the file',
    '# that MUSTER_PROMPT_FILE names, commits its work, and exits with 0.',
    ...examples(),
  ]
}

function examples(): readonly string[] {
  return [
    '# agents:',
    ...AGENT_EXAMPLES.slice(0, 1)
      .flatMap(entry)
      .map((line) => `# ${line}`),
    ...COMMAND,
    '',
    '# The agent that reads the repository and lists the tasks.',
    '# planner: { agent: mine }',
  ]
}
