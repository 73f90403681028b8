import { dependencyFolderOf, generatedFolderOf } from '../repository/dependency-folders.ts'
import type { Task } from '../task/task.ts'

/** What is known about the work on a task when its agent is done. */
export type WorkSize = {
  readonly files: number
  readonly added: number
  readonly removed: number
  /** The size of all files that are new or changed. */
  readonly bytes: number
  readonly deletedFiles: number
  /** How many files the base has. */
  readonly baseFiles: number
  /** Files that the base doesn't have, as far as they were listed. */
  readonly createdPaths: readonly string[]
  /** The folders of built or copied files that the base has, if the work creates a file in such a folder. */
  readonly baseGenerated: readonly string[]
  /** Files that differ in any way, as far as they were listed. */
  readonly changedPaths: readonly string[]
  /** Whether an agent's commit has something in its message or its names that a terminal would obey. */
  readonly hasEscapes: boolean
}

export type UsualSize = { readonly files: number; readonly bytes: number }

/** What the agent was asked to do. */
export type AskedWork = Pick<Task, 'description' | 'context' | 'files' | 'successCriteria'>

const MEGABYTE = 1024 * 1024
const NAMED = 3
/** Deleting a handful of files is never unusual. */
const HANDFUL = 10
const LARGE_SHARE = 0.5
/** Files that repositories normally ignore: secrets, and what systems and tools leave behind. */
const NORMALLY_IGNORED = /(?:^|\/)(?:\.env(?:\.local)?|\.DS_Store|Thumbs\.db|npm-debug\.log|[^/]+\.pyc)$/
/** Each lock file and the file that it is derived from. */
const LOCK_FILES: ReadonlyMap<string, RegExp> = new Map([
  ['package-lock.json', /^package\.json$/],
  ['npm-shrinkwrap.json', /^package\.json$/],
  ['pnpm-lock.yaml', /^(?:package\.json|pnpm-workspace\.yaml)$/],
  ['yarn.lock', /^package\.json$/],
  ['bun.lock', /^package\.json$/],
  ['bun.lockb', /^package\.json$/],
  ['deno.lock', /^(?:deno\.jsonc?|package\.json)$/],
  ['Cargo.lock', /^Cargo\.toml$/],
  ['go.sum', /^go\.mod$/],
  ['poetry.lock', /^pyproject\.toml$/],
  ['uv.lock', /^pyproject\.toml$/],
  ['pdm.lock', /^pyproject\.toml$/],
  ['Pipfile.lock', /^Pipfile$/],
  ['Gemfile.lock', /^(?:Gemfile|[^/]+\.gemspec)$/],
  ['composer.lock', /^composer\.json$/],
  ['mix.lock', /^mix\.exs$/],
  ['flake.lock', /^flake\.nix$/],
])
/** Words with which a task asks for other dependencies. Their lock file then changes too, so no one has to name it. */
const ASKS_FOR_LOCKS = [
  /\block[- ]?files?\b|\bdependenc(?:y|ies)\b/i,
  /\b(?:upgrade|update|bump|downgrade|install|uninstall|add|remove|pin)\b[^.\n]*\b(?:packages?|crates?|gems?)\b/i,
  /\b(?:upgrade|update|bump|downgrade)\b[^.\n]*\bto v?\d/i,
]

/**
 * Why a person should see the work before it lands, one reason per line. Agents and their tools leave things behind
 * that no one asked for, and checks don't mind them.
 */
export function findUnusual(work: WorkSize, usual: UsualSize, task: AskedWork): readonly string[] {
  return [
    ...(work.files > usual.files ? [`it changes ${count(work.files)} files`] : []),
    ...(work.bytes > usual.bytes
      ? [`its new and changed files add up to ${count(Math.ceil(work.bytes / MEGABYTE))} MB`]
      : []),
    ...deletions(work),
    ...ignoredPaths(work, task),
    ...lockFiles(work, task),
    ...(work.hasEscapes ? ['its commit messages contain terminal escape sequences'] : []),
  ]
}

function deletions({ deletedFiles, baseFiles }: WorkSize): readonly string[] {
  const isLarge = deletedFiles > HANDFUL && deletedFiles > baseFiles * LARGE_SHARE
  return isLarge ? [`it deletes ${count(deletedFiles)} of the ${count(baseFiles)} files`] : []
}

function ignoredPaths({ createdPaths, baseGenerated }: WorkSize, task: AskedWork): readonly string[] {
  const known = new Set(baseGenerated.map(nameOf))
  const folders = new Set<string>()
  const files: string[] = []
  for (const path of createdPaths) {
    const folder = dependencyFolderOf(path) ?? newGeneratedFolder(path, known, task)
    if (folder !== undefined) folders.add(folder)
    else if (NORMALLY_IGNORED.test(path) && !isNamed(task, path)) files.push(path)
  }
  const found = [...[...folders].map((folder) => `${folder}/`), ...files]
  return found.length === 0 ? [] : [`it adds files that repositories normally ignore: ${named(found)}`]
}

/** A folder of built or copied files whose name is new to the repository, and which the task doesn't speak of. */
function newGeneratedFolder(path: string, known: ReadonlySet<string>, task: AskedWork): string | undefined {
  const folder = generatedFolderOf(path)
  if (folder === undefined || known.has(nameOf(folder))) return undefined
  const isAsked = task.files.some((file) => generatedFolderOf(file) === folder)
  return isAsked || speaksOfFolder(textOf(task), nameOf(folder)) ? undefined : folder
}

/** `build` is also a verb, so a name counts only if it is written as a folder. */
function speaksOfFolder(text: string, name: string): boolean {
  return [`${name}/`, `\`${name}\``, `${name} folder`, `${name} directory`].some((words) =>
    text.includes(words),
  )
}

function lockFiles({ changedPaths }: WorkSize, task: AskedWork): readonly string[] {
  const manifests = new Set(changedPaths.map(nameOf))
  const text = textOf(task)
  const unasked = changedPaths.filter((path) => {
    const manifest = LOCK_FILES.get(nameOf(path))
    if (manifest === undefined || dependencyFolderOf(path) !== undefined) return false
    if ([...manifests].some((name) => manifest.test(name))) return false
    return !isNamed(task, path) && !speaksOfLock(text, nameOf(path))
  })
  if (unasked.length === 0 || ASKS_FOR_LOCKS.some((words) => words.test(text))) return []
  return [`it changes a lock file that the task doesn't ask for: ${named(unasked)}`]
}

/** Whether the task speaks of a lock and of the tool that the file belongs to, such as "the yarn lock". */
function speaksOfLock(text: string, name: string): boolean {
  const [tool = ''] = name.toLowerCase().split(/[-.]/)
  const words = new Set(text.toLowerCase().split(/\W+/))
  return words.has('lock') && (words.has(tool) || (tool === 'package' && words.has('npm')))
}

/** Whether the task itself speaks of the file. */
function isNamed(task: AskedWork, path: string): boolean {
  return task.files.includes(path) || textOf(task).includes(nameOf(path))
}

function textOf({ description, context, successCriteria }: AskedWork): string {
  return [description, context, ...successCriteria].join('\n')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function named(paths: readonly string[]): string {
  const rest = paths.length - NAMED
  const shown = paths.slice(0, NAMED).join(', ')
  return rest > 0 ? `${shown} and ${count(rest)} more` : shown
}

function count(number: number): string {
  return number.toLocaleString('en')
}
