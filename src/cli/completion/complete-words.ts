import type { Argument, Command, Option } from 'commander'
import type { NamedKind } from '../../domain/short-id.ts'
import type { CommandName } from '../command-help.ts'
import { ARGUMENT_KINDS, FILE_COMMANDS, ROLE_COMMANDS } from './argument-kinds.ts'

export type Candidate = { readonly value: string; readonly description?: string }

/** What can stand where the person is typing. */
export type Completion =
  | { readonly type: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly type: 'records'; readonly kinds: readonly NamedKind[]; readonly withRoles?: true }
  /** Of the run that an earlier argument names, or of the newest. */
  | { readonly type: 'roles'; readonly run?: string }
  /** `role`: the part before each name, such as `developer=`. */
  | { readonly type: 'agents'; readonly role?: string }
  | { readonly type: 'playbooks' }
  | { readonly type: 'files' }

const NOTHING: Completion = { type: 'words', candidates: [] }
const HIDDEN: ReadonlySet<string> = new Set(['--background'])

/** `words` are those after the program's name; the last one is being typed, and may be empty. */
export function completeWords(tree: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { command, count, open } = walk(tree, before[0] === 'help' ? before.slice(1) : before)
  if (open !== undefined) return valuesOf(open, current)
  if (current.startsWith('-')) return { type: 'words', candidates: flagsOf(command) }
  if (command.commands.length > 0) return { type: 'words', candidates: command.commands.map(candidateOf) }
  return argumentOf(command, count, before.at(-1))
}

type Place = {
  readonly command: Command
  /** How many arguments of the command came before. */
  readonly count: number
  /** The option whose value comes next. */
  readonly open: Option | undefined
}

function walk(tree: Command, words: readonly string[]): Place {
  const start: Place = { command: tree, count: 0, open: undefined }
  return words.reduce(afterWord, start)
}

function afterWord({ command, count, open }: Place, word: string): Place {
  // The word is the value of the option before it.
  if (open !== undefined) return { command, count, open: undefined }
  if (word.startsWith('-') && word !== '-') {
    return { command, count, open: word.includes('=') ? undefined : valued(command, word) }
  }
  const named = count === 0 ? command.commands.find((child) => child.name() === word) : undefined
  return named === undefined ? { command, count: count + 1, open } : { command: named, count: 0, open }
}

/** The option with this flag, if it takes a value. */
function valued(command: Command, flag: string): Option | undefined {
  const found = optionsOf(command).find(({ long, short }) => long === flag || short === flag)
  return found?.required === true || found?.optional === true ? found : undefined
}

function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent === null ? [] : optionsOf(command.parent))]
}

function flagsOf(command: Command): readonly Candidate[] {
  const help = { value: '--help', description: 'show this help' }
  const own = optionsOf(command)
    .filter(({ long, hidden }) => long !== undefined && !HIDDEN.has(long) && !hidden)
    .map(({ long = '', description }) => ({ value: long, description }))
  return [...own, help]
}

function candidateOf(command: Command): Candidate {
  return { value: command.name(), description: command.description() }
}

function valuesOf({ argChoices, long, flags }: Option, current: string): Completion {
  if (argChoices !== undefined) return choices(argChoices)
  if (long === '--run') return { type: 'records', kinds: ['run', 'task', 'job'] }
  if (long === '--job') return { type: 'records', kinds: ['job'] }
  if (long === '--revoke') return { type: 'records', kinds: ['approval-rule'] }
  if (long === '--agent' && flags.includes('role=name')) return agentsFor(current)
  if (long === '--agent' || long === '--planner') return { type: 'agents' }
  if (long === '--playbook') return { type: 'playbooks' }
  return long === '--home' || long === '--token-file' ? { type: 'files' } : NOTHING
}

function agentsFor(current: string): Completion {
  const [role, ...name] = current.split('=')
  return name.length === 0 ? { type: 'agents' } : { type: 'agents', role: `${role}=` }
}

/** `before` is the word before the one that is being typed. */
function argumentOf(command: Command, count: number, before: string | undefined): Completion {
  const argument: Argument | undefined = command.registeredArguments[count]
  if (argument?.argChoices !== undefined) return choices(argument.argChoices)
  if (argument?.name() === 'role') return { type: 'roles', ...(before === undefined ? {} : { run: before }) }
  if (argument?.name() === 'run' || argument?.name() === 'other-run')
    return { type: 'records', kinds: ['run'] }
  return count > 0 ? NOTHING : firstArgumentOf(command, argument?.name())
}

function firstArgumentOf(command: Command, name: string | undefined): Completion {
  if (name === 'playbook') return { type: 'playbooks' }
  if (name === 'job') return { type: 'records', kinds: ['job'] }
  if (command.parent?.parent !== null) return NOTHING
  if (FILE_COMMANDS.has(command.name())) return { type: 'files' }
  const kinds = ARGUMENT_KINDS[command.name() as CommandName]
  if (kinds === undefined) return NOTHING
  return ROLE_COMMANDS.has(command.name())
    ? { type: 'records', kinds, withRoles: true }
    : { type: 'records', kinds }
}

function choices(values: readonly string[]): Completion {
  return { type: 'words', candidates: values.map((value) => ({ value })) }
}
