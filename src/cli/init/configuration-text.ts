import { agentsText } from './agents-text.ts'

export type Findings = {
  readonly setup: readonly string[]
  readonly checks: readonly string[]
  /** Programs of AGENT_EXAMPLES that are installed here. */
  readonly programs: readonly string[]
}

const SANDBOX = [
  '# What agents may reach. Left out, the strongest that works here is taken: "muster doctor" shows which.',
  '# sandbox:',
  '#   level: bubblewrap    # or start nothing at all',
  '#   network: allow       # deny: no network, not even to the model',
  '#   memoryMb: 8192       # of all processes of a session together',
  '#   maxProcesses: 1000',
]

const LANDING = [
  '# Who has a say before something lands, beside the checks.',
  '# mode: review          # auto: nobody; review: a reviewer agent; approve: you, with the diff',
]

/** A muster.yaml that says what was found and explains the rest in comments. */
export function configurationText(findings: Findings): string {
  return [
    '# How Muster works on this repository.',
    'version: 1',
    '',
    ...setupPart(findings.setup),
    '',
    ...checksPart(findings.checks),
    '',
    ...LANDING,
    '',
    ...agentsText(findings.programs),
    '',
    '# Limits of every job; the flags of "muster run" override them.',
    'limits:',
    '  parallel: 3          # tasks worked on at once',
    '  attemptMinutes: 30   # one try of one agent at one task',
    '  maxCycles: 20        # plan, work, land, and again',
    '  # budgetUsd: 25      # what the agents of a job may cost, as far as they tell',
    '',
    ...SANDBOX,
    '',
  ].join('\n')
}

function checksPart(checks: readonly string[]): readonly string[] {
  const heading = '# Commands run on the exact tree that would land; all must pass before it does.'
  if (checks.length === 0) {
    return [heading, '# None were found here. Without checks whatever merges cleanly lands.', 'checks: []']
  }
  return [heading, 'checks:', ...listed(checks)]
}

function setupPart(setup: readonly string[]): readonly string[] {
  const heading = '# Commands run once in every new tree, before an agent works or a check runs there.'
  return [
    heading,
    ...(setup.length === 0 ? ['# setup: ["make deps"]'] : ['setup:', ...listed(setup)]),
    '# Files that git ignores and every tree needs.',
    '# copy: [".env.local"]',
  ]
}

function listed(commands: readonly string[]): readonly string[] {
  return commands.map((command) => `  - ${JSON.stringify(command)}`)
}
