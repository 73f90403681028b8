import { AGENT_EXAMPLES, type AgentExample } from './agent-examples.ts'

export type Findings = {
  readonly checks: readonly string[]
  /** Programs of AGENT_EXAMPLES that are installed here. */
  readonly programs: readonly string[]
}

const INSTALLS = /^(?:npm|pnpm|yarn|bun) (?:ci|install)\b/

/** A muster.yaml that says what was found and explains the rest in comments. */
export function configurationText(findings: Findings): string {
  return [
    '# How Muster works on this repository.',
    'version: 1',
    '',
    ...checksPart(findings.checks),
    '',
    ...agentsPart(findings.programs),
    '',
    '# Limits of every job; the flags of "muster run" override them.',
    'limits:',
    '  parallel: 3          # tasks worked on at once',
    '  attemptMinutes: 30   # one try of one agent at one task',
    '  maxCycles: 20        # plan, work, land, and again',
    '',
  ].join('\n')
}

function checksPart(checks: readonly string[]): readonly string[] {
  const heading = '# Commands run on the exact tree that would land; all must pass before it does.'
  if (checks.length === 0) {
    return [heading, '# None were found here. Without checks whatever merges cleanly lands.', 'checks: []']
  }
  return [
    heading,
    ...installPart(checks),
    'checks:',
    ...checks.map((check) => `  - ${JSON.stringify(check)}`),
  ]
}

function installPart(checks: readonly string[]): readonly string[] {
  if (!checks.some((check) => INSTALLS.test(check))) return []
  return ['# They run in a fresh tree, which has no node_modules: each installs what it needs first.']
}

function agentsPart(programs: readonly string[]): readonly string[] {
  const found = AGENT_EXAMPLES.filter((example) => programs.includes(example.program))
  const shown = found.length === 0 ? AGENT_EXAMPLES : found
  return [
    '# Agents: any program can be one. It starts in its own working tree with the task in the file named by',
    '# MUSTER_PROMPT_FILE, commits its work, and exits 0. Uncomment one, or name your own.',
    found.length === 0
      ? '# No known agent program was found on this machine; these are examples.'
      : `# Found on this machine: ${found.map((example) => example.program).join(', ')}.`,
    '# agents:',
    ...shown.flatMap(examplePart),
    '#   mine:',
    '#     provider: command',
    '#     command: ["node", "tools/my-agent.mjs"]',
    '#     roles: [worker, planner]',
    '',
    '# Which agent plans the work.',
    `# planner: { agent: ${shown[0]?.name ?? 'mine'} }`,
  ]
}

function examplePart(example: AgentExample): readonly string[] {
  return [
    `#   ${example.name}:`,
    '#     provider: command',
    `#     command: ["sh", "-c", ${JSON.stringify(example.shell)}]`,
    '#     roles: [worker, planner]',
  ]
}
