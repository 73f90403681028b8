import type { AnswerSchema } from '../agent/answer-schema.ts'
import { shippedSchema } from '../playbook/output-format.ts'
import type { Output } from '../playbook/stage.ts'
import { failure, type Result, success } from '../result.ts'

/** The texts of a playbook's files as they were when the run started, by the names that the playbook uses. */
export type PinnedFiles = Readonly<Record<string, string>>

/** What the answers of a stage must look like, or why its own schema can't be used. */
export function schemaOf(output: Output, files: PinnedFiles): Result<AnswerSchema, string> {
  if (output.type === 'schema') return ownSchema(output.file, files)
  const schema = shippedSchema(output.format)
  return schema === undefined ? failure(`there is no format "${output.format}"`) : success(schema)
}

function ownSchema(file: string, files: PinnedFiles): Result<AnswerSchema, string> {
  const source = Object.hasOwn(files, file) ? files[file] : undefined
  if (source === undefined) return failure(`the run has no file ${file}`)
  const schema = parsedObject(source)
  if (schema === undefined) return failure(`${file} is not a JSON Schema`)
  const { type = 'object', properties = {}, required = [] } = schema
  // An answer is found in an agent's output as an object, so nothing else can be asked for.
  if (type !== 'object') return failure(`${file} must describe an object: "type": "object"`)
  return success({ ...schema, type, properties, required } as AnswerSchema)
}

type OwnSchema = Readonly<Partial<Record<keyof AnswerSchema, unknown>>>

function parsedObject(source: string): OwnSchema | undefined {
  try {
    const value = JSON.parse(source) as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is OwnSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
