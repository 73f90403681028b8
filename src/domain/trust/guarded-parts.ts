import { READY_MADE } from '../agent/ready-made.ts'
import { JOB_DEFAULTS } from '../limits/job-defaults.ts'
import { RETRY_LIMITS } from '../limits/retry-limits.ts'
import { isCredentialName } from '../redaction/secret.ts'
import type { GuardedPart, PartEffect } from './guarded-part.ts'

type Settings = Readonly<Record<string, unknown>>
type Effect = PartEffect | 'harmless'
/** A function also gets the settings beside the one it judges. */
type Rule = Effect | ((value: unknown, field: string, beside: Settings) => Effect)
/** A rule for a setting, or for each setting below it. A star stands for any name. */
type Rules = { readonly [name: string]: Rule | Rules }

const loosensAbove = (most: number) => (value: unknown) =>
  typeof value === 'number' && value <= most ? 'harmless' : 'loosens-protection'

const loosensUnless =
  (...harmless: readonly unknown[]) =>
  (value: unknown) =>
    harmless.includes(value) ? 'harmless' : 'loosens-protection'

/** Variables that tell a program which address to talk to, such as `ANTHROPIC_BASE_URL` or `https_proxy`. */
const ADDRESS_VARIABLE = /_(?:base_url|api_url|api_base|endpoint|host|proxy)$/i

const AGENT_RULES: Rules = {
  model: 'harmless',
  roles: 'harmless',
  maxParallel: 'harmless',
  fallback: 'harmless',
  command: 'runs-programs',
  script: 'runs-programs',
  // A variable can make a program load code, or send its key to another address.
  env: { '*': (_value, field) => (ADDRESS_VARIABLE.test(field) ? 'sends-keys' : 'runs-programs') },
  permissions: loosensUnless('ask', 'auto'),
}

/**
 * A provider alone is a preference. It decides which program gets the guarded settings of its agent. What the person's
 * own file sets for an agent with the name of a program, such as its key, is meant for that program.
 */
function effectOfProvider(value: unknown, field: string, { provider: _, ...beside }: Settings): Effect {
  const effect = sortFields(beside, AGENT_RULES, '')[0]?.effect
  if (effect !== undefined) return effect
  const program = READY_MADE.find(({ name }) => field === `agents.${name}.provider`)
  return program === undefined || program.provider === value ? 'harmless' : 'sends-keys'
}

/**
 * What each setting can do. A setting is harmless if it only expresses a preference, or if it can only make things
 * stricter than they are without the file. The person's own file and variables override the repository's, so only the
 * defaults count here. A setting that isn't listed counts as loosening protection until someone sorts it in.
 */
const RULES: Rules = {
  version: 'harmless',
  mode: 'harmless',
  // It may be one of the repository's own, and a playbook can cost many times what one agent does for a task.
  playbook: 'loosens-protection',
  // Tolerating what fails lets work land although its checks fail.
  failingBase: loosensUnless('ask', 'stop', 'fix', 'ignore'),
  learnings: 'harmless',
  taskList: 'harmless',
  // Muster hides the value of a marked variable everywhere. For one such as PATH or PWD, that would hide paths and
  // commands that the person decides about.
  secrets: (names) => (Array.isArray(names) && names.every(isCredential) ? 'harmless' : 'loosens-protection'),
  planner: 'harmless',
  roles: 'harmless',
  checks: 'runs-programs',
  setup: 'runs-programs',
  // Gives agents files of the checkout that aren't part of the repository, such as .env.
  copy: 'loosens-protection',
  agents: { '*': { ...AGENT_RULES, provider: effectOfProvider } },
  models: {
    '*': {
      // Decides whose key goes to the address.
      provider: (_value, _field, { baseUrl }) => (baseUrl === undefined ? 'harmless' : 'sends-keys'),
      model: 'harmless',
      baseUrl: 'sends-keys',
      // A model that seems to cost nothing never reaches a budget.
      priceUsd: 'loosens-protection',
    },
  },
  sandbox: {
    level: loosensUnless('auto', 'bubblewrap'),
    network: 'harmless',
    memoryMb: 'harmless',
    maxProcesses: 'harmless',
    readable: 'loosens-protection',
    writable: 'loosens-protection',
  },
  limits: {
    parallel: loosensAbove(JOB_DEFAULTS.parallel),
    attemptMinutes: loosensAbove(JOB_DEFAULTS.attemptMinutes),
    jobMinutes: loosensAbove(JOB_DEFAULTS.jobMinutes),
    maxCycles: loosensAbove(JOB_DEFAULTS.maxCycles),
    maxAttempts: loosensAbove(RETRY_LIMITS.taskAttempts),
    projectParallel: 'harmless',
    modelParallel: 'harmless',
    budgetUsd: 'harmless',
    dailyUsd: 'harmless',
    memoryFloorMb: 'harmless',
  },
}

/**
 * The settings of a repository's file that run programs, loosen protection or send keys somewhere, sorted by field.
 * Everything else in the file is harmless. Pure: the same settings give the same parts.
 */
export function guardedParts(settings: Settings): readonly GuardedPart[] {
  return sortFields(settings, RULES, '').toSorted((one, other) => (one.field < other.field ? -1 : 1))
}

function sortFields(fields: Settings, rules: Rules, before: string): readonly GuardedPart[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : sortField(`${before}${quoted(name)}`, value, ruleFor(rules, name), fields),
  )
}

function sortField(
  field: string,
  value: unknown,
  rule: Rule | Rules,
  beside: Settings,
): readonly GuardedPart[] {
  if (typeof rule === 'object') return isSettings(value) ? sortFields(value, rule, `${field}.`) : []
  const effect = typeof rule === 'function' ? rule(value, field, beside) : rule
  return effect === 'harmless' ? [] : partsOf(field, value, effect)
}

/** A name with a dot in it must not look like two names, or two different settings would have the same digest. */
function quoted(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
}

/** A name from a file, such as `constructor`, must not find what every object inherits. */
function ruleFor(rules: Rules, name: string): Rule | Rules {
  return (Object.hasOwn(rules, name) ? rules[name] : rules['*']) ?? 'loosens-protection'
}

/** A list of commands or paths is one part for each. The words of one command stay together. */
function partsOf(field: string, value: unknown, effect: PartEffect): readonly GuardedPart[] {
  const isList = Array.isArray(value) && !field.endsWith('.command')
  if (!isList) return [{ field, value: textOf(value), effect }]
  return value.map((item: unknown, index) => ({ field: `${field}[${index}]`, value: textOf(item), effect }))
}

function isCredential(name: unknown): boolean {
  return typeof name === 'string' && isCredentialName(name)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
