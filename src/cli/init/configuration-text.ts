import { agentsText } from './agents-text.ts'

export type Findings = {
  readonly setup: readonly string[]
  readonly checks: readonly string[]
  /** Programs of AGENT_EXAMPLES that are installed here. */
  readonly programs: readonly string[]
  /** Whether the person's own file has an agent that can work. */
  readonly hasOwnAgents?: boolean
}

const SANDBOX = [
  '# What agents can access. The default is the strongest sandbox that works here; see "muster doctor".',
  '# sandbox:',
  '#   level: bubblewrap    # start nothing without it',
  '#   network: allow       # deny: no network, not even for the model',
  '#   memoryMb: 8192       # for all processes of a session together',
  '#   maxProcesses: 1000',
]

const LANDING = [
  '# Who must approve work before it lands, besides the checks.',
  '# mode: review          # auto: no one; review: a reviewer agent; approve: you',
]

/** A muster.yaml with what was found, and comments that explain the rest. */
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
    ...agentsText(findings.programs, findings.hasOwnAgents === true),
    '',
    '# Limits for every job. Flags of "muster run" override them.',
    'limits:',
    '  parallel: 3          # tasks at once',
    '  attemptMinutes: 30   # one attempt at a task',
    '  maxCycles: 20        # how many times to plan, work and land',
    '  # budgetUsd: 25      # what a job may cost, as far as its agents report it',
    '',
    ...SANDBOX,
    '',
  ].join('\n')
}

function checksPart(checks: readonly string[]): readonly string[] {
  const heading = '# Commands that must pass on exactly the tree that would land.'
  if (checks.length === 0) {
    return [heading, '# None were found. Without checks, everything that merges cleanly lands.', 'checks: []']
  }
  return [heading, 'checks:', ...listed(checks)]
}

function setupPart(setup: readonly string[]): readonly string[] {
  const heading = '# Commands that run once in every new tree, before an agent or a check uses it.'
  return [
    heading,
    ...(setup.length === 0 ? ['# setup: ["make deps"]'] : ['setup:', ...listed(setup)]),
    '# Files that git ignores but every tree needs.',
    '# copy: [".env.local"]',
  ]
}

function listed(commands: readonly string[]): readonly string[] {
  return commands.map((command) => `  - ${JSON.stringify(command)}`)
}
