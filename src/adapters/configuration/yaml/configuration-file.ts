import type { z } from 'zod'
import { type ConfigurationFailure, WHOLE_FILE } from '../../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { LINK_PROBLEM, readTextFile } from '../../shared/read-text-file.ts'
import { schemaWords } from '../../shared/yaml/schema-words.ts'
import { parseYaml, type YamlSource } from '../../shared/yaml/yaml-source.ts'
import { type ConfigurationFields, configurationSchema } from './configuration-schema.ts'

/** A valid configuration file. */
export type ConfigurationFile = {
  readonly file: string
  readonly fields: ConfigurationFields
  readonly lineOf: YamlSource['lineOf']
}

type ReadOptions = { readonly refusesLinks?: boolean }

/** Reads one configuration file. The value is undefined if the file doesn't exist. */
export async function readConfigurationFile(
  file: string,
  { refusesLinks = false }: ReadOptions = {},
): Promise<Result<ConfigurationFile | undefined, ConfigurationFailure>> {
  const text = await readTextFile(file, { maxBytes: MAX_BYTES, refusesLinks })
  if (!text.ok) return failure(invalid(file, { field: WHOLE_FILE, ...fileProblem(text.failure) }))
  if (text.value === undefined) return success(undefined)
  const source = parseYaml(text.value)
  if (!source.ok) {
    const { column: _, ...fault } = source.failure
    return failure(invalid(file, { field: WHOLE_FILE, ...fault }))
  }
  const parsed = configurationSchema.safeParse(source.value.data ?? {}, { error: schemaWords })
  if (!parsed.success) return failure(invalid(file, describeIssue(parsed.error, source.value)))
  return success({ file, fields: parsed.data, lineOf: source.value.lineOf })
}

const MAX_BYTES = 1024 * 1024

type FileProblem = Pick<ConfigurationFailure, 'problem' | 'isLink'>
type Fault = FileProblem & { readonly field: string; readonly line?: number }

function fileProblem(problem: string): FileProblem {
  return problem === LINK_PROBLEM ? { problem, isLink: true } : { problem }
}

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
