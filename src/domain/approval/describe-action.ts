import type { GateAction, LandingAction, ToolUse } from './approval-action.ts'

/** What a tool does, whatever its program calls it. */
export const ACTION_KINDS = [
  'run',
  'write',
  'edit',
  'delete',
  'read',
  'search',
  'fetch',
  'network',
  'permissions',
  'use',
] as const

export type ActionKind = (typeof ACTION_KINDS)[number]

/** One action as a person would say it: "wants to run: npm test". Nothing of `object` is left out. */
export type ActionWords = {
  readonly kind: ActionKind
  /** "run": what follows "wants to". */
  readonly verb: string
  readonly object: string
  /** The fields of the input that `object` doesn't contain. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** As much of an action as its sentence needs. */
type DescribedAction =
  | Pick<ToolUse, 'type' | 'tool' | 'input' | 'directory'>
  | (Pick<LandingAction, 'type' | 'tasks'> & { readonly base?: string | undefined })
  | Pick<GateAction, 'type' | 'playbook' | 'ask'>

type Fields = Readonly<Record<string, unknown>>

/** The names that programs have for their tools, in lower case and without separators. */
const KINDS: Readonly<Record<string, ActionKind>> = {
  ...named('run', 'bash shell execute exec runshellcommand localshell terminal command runcommand'),
  ...named('write', 'write writefile create createfile'),
  ...named('edit', 'edit multiedit notebookedit applypatch patch replace strreplace'),
  ...named('delete', 'delete deletefile remove'),
  ...named('read', 'read readfile view readmanyfiles notebookread'),
  ...named('search', 'glob grep search list ls searchfilecontent websearch googlewebsearch'),
  ...named('fetch', 'webfetch fetch'),
  ...named('network', 'network'),
  ...named('permissions', 'permissions'),
}

const VERBS: Readonly<Record<ActionKind, string>> = {
  run: 'run',
  write: 'write',
  edit: 'edit',
  delete: 'delete',
  read: 'read',
  search: 'search for',
  fetch: 'fetch',
  network: 'reach',
  permissions: 'get these permissions',
  use: 'use',
}

const PATHS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path', 'paths', 'locations']
const OBJECTS: Readonly<Record<Exclude<ActionKind, 'use' | 'permissions'>, readonly string[]>> = {
  run: ['command', 'cmd'],
  write: PATHS,
  edit: PATHS,
  delete: PATHS,
  read: PATHS,
  search: ['pattern', 'query'],
  fetch: ['url', 'prompt'],
  network: ['network', 'host'],
}

/** Describes one use of a tool, in the words of its kind. An unknown tool is named, with its whole input. */
export function describeToolUse({
  tool,
  input,
  directory,
}: Pick<ToolUse, 'tool' | 'input' | 'directory'>): ActionWords {
  const fields = fieldsOf(input)
  const kind = kindOf(tool, fields)
  const names = kind === 'use' || kind === 'permissions' ? [] : OBJECTS[kind]
  for (const name of names) {
    const object = objectOf(kind, fields[name], directory)
    if (object !== undefined) {
      return { kind, verb: VERBS[kind], object, rest: without(fields, name) }
    }
  }
  if (kind === 'permissions') return { kind, verb: VERBS[kind], object: textOf(input), rest: {} }
  const text = textOf(input)
  return { kind, verb: 'use', object: text === '' ? tool : `${tool} ${text}`, rest: {} }
}

/** The whole action as one sentence: "t1-1 wants to run: npm test". */
export function describeAction(action: DescribedAction, who: string): string {
  if (action.type === 'landing') return describeLanding(action)
  if (action.type === 'gate') return `${action.playbook} asks: ${action.ask}`
  const { verb, object } = describeToolUse(action)
  return `${who} wants to ${verb}: ${object}`
}

/** "t1-1 "Parse weeks" wants to land" */
export function describeLanding({
  tasks,
  base,
}: Omit<Extract<DescribedAction, { type: 'landing' }>, 'type'>): string {
  const [only] = tasks
  if (only === undefined) return `new commits on ${base ?? 'the base branch'} want to land`
  if (tasks.length === 1) return `${only.name} "${only.title}" wants to land`
  const names = tasks.map(({ name }) => name).join(', ')
  return `${names.replace(/, ([^,]+)$/, ' and $1')} want to land together`
}

function kindOf(tool: string, fields: Fields): ActionKind {
  const known = KINDS[tool.toLowerCase().replaceAll(/[^a-z]/g, '')]
  if (known !== undefined) return known
  return typeof fields['command'] === 'string' && Object.keys(fields).length === 1 ? 'run' : 'use'
}

function objectOf(kind: ActionKind, value: unknown, directory: string): string | undefined {
  if (kind === 'network') return value === undefined ? undefined : hostOf(value)
  const text = (part: unknown) => (isPathKind(kind) ? pathText(part, directory) : part)
  if (typeof value === 'string') return value === '' ? undefined : String(text(value))
  if (!Array.isArray(value) || value.length === 0) return undefined
  const parts = value.map((part) => text(typeof part === 'string' ? part : fieldsOf(part)['path']))
  if (parts.some((part) => typeof part !== 'string')) return undefined
  return kind === 'run' ? parts.map((part) => quoted(String(part))).join(' ') : parts.join(', ')
}

function isPathKind(kind: ActionKind): boolean {
  return kind === 'write' || kind === 'edit' || kind === 'delete' || kind === 'read'
}

/** A path in the working tree is shown as the agent's own files are: from the tree's root. */
function pathText(path: unknown, directory: string): unknown {
  if (typeof path !== 'string' || directory === '') return path
  const root = directory.endsWith('/') ? directory : `${directory}/`
  return path.startsWith(root) && !path.includes('/../') ? path.slice(root.length) : path
}

function hostOf(value: unknown): string {
  const { host, protocol, port } = fieldsOf(value)
  if (typeof host !== 'string') return textOf(value)
  const scheme = typeof protocol === 'string' ? `${protocol}://` : ''
  return `${scheme}${host}${typeof port === 'number' ? `:${port}` : ''}`
}

/** One word of a command line, so that words with spaces stay recognizable. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
}

function textOf(input: unknown): string {
  if (typeof input === 'string') return input
  const isEmpty = input === undefined || input === null || JSON.stringify(input) === '{}'
  return isEmpty ? '' : JSON.stringify(input)
}

function named(kind: ActionKind, names: string): Readonly<Record<string, ActionKind>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}
