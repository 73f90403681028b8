import { createHash } from 'node:crypto'
import path from 'node:path'
import { RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import { checkPlaybook } from '../../../domain/playbook/check-playbook.ts'
import type { Playbook } from '../../../domain/playbook/playbook.ts'
import type { PlaybookProblem } from '../../../domain/playbook/playbook-problem.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { PlaybookFault, PlaybookFolder } from '../../../ports/playbook-source.ts'
import { parseYaml, type YamlSource } from '../../shared/yaml/yaml-source.ts'
import { createFolderFiles, type FolderFiles } from './folder-files.ts'
import { toPlaybook } from './to-playbook.ts'

export const PLAYBOOK_FILE = 'playbook.yaml'
const MAX_PLAYBOOK_BYTES = 256 * 1024
const BUILTIN = 'builtin/'

/** Reads the playbook of one folder and everything it refers to. `builtin` is the folder of the shipped prompts. */
export async function readFolder(
  directory: string,
  builtin: string,
): Promise<Result<PlaybookFolder, readonly PlaybookFault[]>> {
  const file = path.join(directory, PLAYBOOK_FILE)
  const files = createFolderFiles(directory)
  const text = await files.read(PLAYBOOK_FILE, MAX_PLAYBOOK_BYTES)
  if (!text.ok) return failure([{ file, field: '', problem: text.failure }])
  const source = parseYaml(text.value)
  if (!source.ok) return failure([{ file, field: '', ...source.failure }])
  const at = (problems: readonly PlaybookProblem[]) => failure(faultsOf(file, source.value, problems))
  const schemas = await readSchemas(files, source.value.data)
  const read = toPlaybook(source.value.data, (name) => schemas.get(name) ?? failure(`${name} doesn't exist`))
  if (!read.ok) return at(read.failure)
  const playbook = read.value
  const review = checkPlaybook(playbook)
  const shipped = createFolderFiles(builtin)
  const problems = [...review.errors, ...(await findPromptProblems(files, shipped, playbook))]
  if (path.basename(directory) !== playbook.name) {
    problems.push({
      path: ['name'],
      problem: `must be "${path.basename(directory)}", the name of its folder`,
    })
  }
  if (problems.length > 0) return at(problems)
  const builtins = [...shipped.texts].map(([name, content]) => [`${BUILTIN}${name}`, content] as const)
  const all = [...files.texts, ...builtins].sort(([one], [other]) => (one < other ? -1 : 1))
  const texts = Object.fromEntries(all)
  return success({ playbook, review, directory, files: texts, hash: hashOf(texts) })
}

function hashOf(texts: Readonly<Record<string, string>>): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(texts)))
    .digest('hex')
}

type SchemaFields = ReadonlyMap<string, Result<readonly string[], string>>

/** Reads the schemas that the stages name, whatever else is wrong with the stages. */
async function readSchemas(files: FolderFiles, data: unknown): Promise<SchemaFields> {
  const stages = Object.values(objectIn(objectIn(data)['stages']))
  const names = stages.map((stage) => objectIn(stage)['output']).filter((name) => typeof name === 'string')
  const schemas = new Map<string, Result<readonly string[], string>>()
  for (const name of names.filter((text) => text.startsWith('./'))) {
    const text = await files.read(name, RUN_LIMITS.promptBytes)
    schemas.set(name, text.ok ? schemaFields(name, text.value) : text)
  }
  return schemas
}

function schemaFields(name: string, text: string): Result<readonly string[], string> {
  try {
    const schema: unknown = JSON.parse(text)
    if (/"\$ref"\s*:\s*"(?!#)/.test(text)) return failure(`${name} refers to a schema outside its folder`)
    return success(Object.keys(objectIn(objectIn(schema)['properties'])))
  } catch (error) {
    if (error instanceof SyntaxError) return failure(`${name} is not JSON: ${error.message}`)
    throw error
  }
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

async function findPromptProblems(
  files: FolderFiles,
  shipped: FolderFiles,
  { roles }: Playbook,
): Promise<readonly PlaybookProblem[]> {
  const problems: PlaybookProblem[] = []
  for (const [name, { prompt }] of Object.entries(roles)) {
    const text = prompt.startsWith(BUILTIN)
      ? await shipped.read(`${prompt.slice(BUILTIN.length)}.md`, RUN_LIMITS.promptBytes)
      : await files.read(prompt, RUN_LIMITS.promptBytes)
    if (!text.ok) problems.push({ path: ['roles', name, 'prompt'], problem: text.failure })
    else if (text.value.trim() === '') {
      problems.push({ path: ['roles', name, 'prompt'], problem: `${prompt} is empty` })
    }
  }
  return problems
}

function faultsOf(
  file: string,
  source: YamlSource,
  problems: readonly PlaybookProblem[],
): readonly PlaybookFault[] {
  return problems
    .map(({ path: place, problem }) => ({
      file,
      line: source.lineOf(place),
      column: source.columnOf(place),
      field: fieldOf(place),
      problem,
    }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
}

function fieldOf(place: readonly (string | number)[]): string {
  const joined = place.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`))
  return joined.join('').replace(/^\./, '')
}
