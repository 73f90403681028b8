import { agentsText } from './agents-text.ts'

export type Findings = {
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

const INSTALLS = /^(?:npm|pnpm|yarn|bun) (?:ci|install)\b/

/** A muster.yaml that says what was found and explains the rest in comments. */
export function configurationText(findings: Findings): string {
  return [
    '# How Muster works on this repository.',
    'version: 1',
    '',
    ...checksPart(findings.checks),
    '',
    ...agentsText(findings.programs),
    '',
    '# Limits of every job; the flags of "muster run" override them.',
    'limits:',
    '  parallel: 3          # tasks worked on at once',
    '  attemptMinutes: 30   # one try of one agent at one task',
    '  maxCycles: 20        # plan, work, land, and again',
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
