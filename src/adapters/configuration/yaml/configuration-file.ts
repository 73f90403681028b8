import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { z } from 'zod'
import { type ConfigurationFailure, WHOLE_FILE } from '../../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { type ConfigurationFields, configurationSchema } from './configuration-schema.ts'
import { schemaWords } from './schema-words.ts'
import { parseYaml, type YamlSource } from './yaml-source.ts'

/** A valid configuration file. */
export type ConfigurationFile = {
  readonly file: string
  readonly fields: ConfigurationFields
  readonly lineOf: YamlSource['lineOf']
}

type ReadOptions = {
  /** Fails if the file is a symbolic link. Its target may be a file that nobody meant to read, and errors quote it. */
  readonly refusesLinks?: boolean
}

/** Reads one configuration file. The value is undefined if the file doesn't exist. */
export async function readConfigurationFile(
  file: string,
  { refusesLinks = false }: ReadOptions = {},
): Promise<Result<ConfigurationFile | undefined, ConfigurationFailure>> {
  const text = await readTextFile(file, refusesLinks ? constants.O_NOFOLLOW : 0)
  if (!text.ok) return failure(invalid(file, { field: WHOLE_FILE, ...text.failure }))
  if (text.value === undefined) return success(undefined)
  const source = parseYaml(text.value)
  if (!source.ok) return failure(invalid(file, { field: WHOLE_FILE, ...source.failure }))
  const parsed = configurationSchema.safeParse(source.value.data ?? {}, { error: schemaWords })
  if (!parsed.success) return failure(invalid(file, describeIssue(parsed.error, source.value)))
  return success({ file, fields: parsed.data, lineOf: source.value.lineOf })
}

const MAX_BYTES = 1024 * 1024

async function readTextFile(file: string, flags: number): Promise<Result<string | undefined, FileProblem>> {
  try {
    // Without O_NONBLOCK, a named pipe in the file's place would block the daemon.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | flags)
    const found = await handle.stat()
    if (!found.isFile()) return failure({ problem: 'is not a file' })
    if (found.size > MAX_BYTES) return failure({ problem: 'is larger than 1 MiB' })
    return success(new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile()))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return describeError(error)
  }
}

type FileProblem = Pick<ConfigurationFailure, 'problem' | 'isLink'>

const PROBLEMS: Readonly<Record<string, FileProblem>> = {
  ELOOP: { problem: 'is a symbolic link: replace it with the file itself', isLink: true },
  ERR_ENCODING_INVALID_ENCODED_DATA: { problem: 'is not UTF-8 text' },
}

function describeError(error: NodeJS.ErrnoException): Result<undefined, FileProblem> {
  const { code = '' } = error
  if (code === 'ENOENT' || code === 'ENOTDIR') return success(undefined)
  return failure(PROBLEMS[code] ?? { problem: `cannot be read: ${error.message}` })
}

type Fault = FileProblem & { readonly field: string; readonly line?: number }

function invalid(file: string, fault: Fault): ConfigurationFailure {
  return { type: 'configuration-invalid', file, ...fault }
}

function describeIssue(error: z.ZodError, source: YamlSource): Fault {
  const [issue] = error.issues
  if (issue === undefined) return { field: WHOLE_FILE, problem: error.message }
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...issue.path, ...unknownKey]
  return { field: fieldOf(path), line: source.lineOf(path), problem: problemOf(issue) }
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'is not a known field'
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  return issue.message
}

function fieldOf(path: readonly PropertyKey[]): string {
  const joined = path.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`))
  return joined.join('').replace(/^\./, '') || WHOLE_FILE
}
