import { createHash } from 'node:crypto'
import path from 'node:path'
import { FILE_LIMITS } from '../../../domain/limits/file-limits.ts'
import { RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import { checkPlaybook } from '../../../domain/playbook/check-playbook.ts'
import type { PlaybookProblem } from '../../../domain/playbook/playbook-problem.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { PlaybookFault, PlaybookFolder } from '../../../ports/playbook-source.ts'
import { parseYaml, type YamlSource } from '../../shared/yaml/yaml-source.ts'
import { createFolderFiles, type FolderFiles } from './folder-files.ts'
import { createGivenFiles } from './given-files.ts'
import { objectIn } from './plain-data.ts'
import { readPrompts } from './read-prompts.ts'
import { readSchemas } from './read-schemas.ts'
import { toPlaybook } from './to-playbook.ts'

export const PLAYBOOK_FILE = 'playbook.yaml'

type Read = Result<PlaybookFolder, readonly PlaybookFault[]>

/** Reads the playbook of one folder and everything it refers to. `builtin` is the folder of the shipped prompts. */
export function readFolder(directory: string, builtin: string): Promise<Read> {
  const file = path.join(directory, PLAYBOOK_FILE)
  return readWith(createFolderFiles(directory), {
    file,
    name: path.basename(path.resolve(directory)),
    builtin,
  })
}

/** Reads a playbook from the texts of its files. It can refer to nothing else, except shipped prompts. */
export function readFiles(texts: Readonly<Record<string, string>>, builtin: string): Promise<Read> {
  return readWith(createGivenFiles(texts), { file: PLAYBOOK_FILE, builtin })
}

type Place = {
  /** How faults call its playbook.yaml. */
  readonly file: string
  /** The name that it must have. */
  readonly name?: string
  readonly builtin: string
}

async function readWith(files: FolderFiles, { file, name, builtin }: Place): Promise<Read> {
  const text = await files.read(PLAYBOOK_FILE, RUN_LIMITS.playbookBytes)
  if (!text.ok) return failure([{ file, field: '', problem: text.failure }])
  const source = parseYaml(text.value)
  if (!source.ok) return failure([{ file, field: '', ...source.failure }])
  const { data } = source.value
  const schemas = await readSchemas(files, data)
  const prompts = await readPrompts(files, builtin, data)
  const read = toPlaybook(data, (schema) => schemas.get(schema) ?? failure(`${schema} doesn't exist`))
  const review = read.ok ? checkPlaybook(read.value) : undefined
  const problems = [
    ...(read.ok ? [] : read.failure),
    ...(review?.errors ?? []),
    ...prompts.problems,
    ...(name === undefined ? [] : findWrongName(name, data)),
  ]
  if (!read.ok || review === undefined || problems.length > 0) {
    return failure(faultsOf(file, source.value, problems))
  }
  const all = [...files.texts, ...prompts.builtins].sort(([one], [other]) => (one < other ? -1 : 1))
  const texts = Object.fromEntries(all)
  return success({ playbook: read.value, review, files: texts, hash: hashOf(texts) })
}

/** Finds the places of problems in a playbook that was read before. */
export function locateProblems(
  { playbook, files }: PlaybookFolder,
  problems: readonly PlaybookProblem[],
  directory = '',
): readonly PlaybookFault[] {
  const { [PLAYBOOK_FILE]: text = '' } = files
  const source = parseYaml(text)
  if (!source.ok) throw new Error(`the playbook ${playbook.name} was read and can't be parsed`)
  return faultsOf(path.join(directory, PLAYBOOK_FILE), source.value, problems)
}

function hashOf(texts: Readonly<Record<string, string>>): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(texts)))
    .digest('hex')
}

function findWrongName(folder: string, data: unknown): readonly PlaybookProblem[] {
  const { name } = objectIn(data)
  if (typeof name !== 'string' || name === folder) return []
  return [{ path: ['name'], problem: `must be "${folder}", the name of its folder` }]
}

function faultsOf(
  file: string,
  source: YamlSource,
  problems: readonly PlaybookProblem[],
): readonly PlaybookFault[] {
  const faults = problems
    .map(({ path: place, problem }) => ({
      file,
      line: source.lineOf(place),
      column: source.columnOf(place),
      field: fieldOf(place),
      problem,
    }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
  const rest = faults.length - FILE_LIMITS.problems
  if (rest <= 0) return faults
  const more = { file, field: '', problem: `has at least ${rest} more problem${rest === 1 ? '' : 's'}` }
  return [...faults.slice(0, FILE_LIMITS.problems), more]
}

function fieldOf(place: readonly (string | number)[]): string {
  const joined = place.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`))
  return joined.join('').replace(/^\./, '')
}
