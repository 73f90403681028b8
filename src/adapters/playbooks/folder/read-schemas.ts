import { RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import { type Fields, fieldsOf } from '../../../domain/playbook/field-kind.ts'
import { readOwnSchema } from '../../../domain/playbook/own-schema.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { FolderFiles } from './folder-files.ts'
import { objectIn } from './plain-data.ts'

/** The fields of a schema's answers; undefined if the schema doesn't list them. */
export type SchemaFields = Result<Fields | undefined, string>

/** Reads the schemas that the stages name, whatever else is wrong with the stages. */
export async function readSchemas(
  files: FolderFiles,
  data: unknown,
): Promise<ReadonlyMap<string, SchemaFields>> {
  const stages = Object.values(objectIn(objectIn(data)['stages'])).slice(0, RUN_LIMITS.stages)
  const outputs = stages.map((stage) => objectIn(stage)['output'])
  const names = outputs.filter((name) => typeof name === 'string').filter((name) => name.startsWith('./'))
  const schemas = new Map<string, SchemaFields>()
  for (const name of new Set(names)) {
    const text = await files.read(name, RUN_LIMITS.promptBytes)
    schemas.set(name, text.ok ? schemaFields(name, text.value) : text)
  }
  return schemas
}

function schemaFields(name: string, text: string): SchemaFields {
  const schema = parseJson(name, text)
  if (!schema.ok) return schema
  if (typeof schema.value !== 'object' || schema.value === null || Array.isArray(schema.value)) {
    return failure(`${name} must be a JSON Schema, an object such as { "type": "object" }`)
  }
  const { type = 'object', properties } = objectIn(schema.value)
  // An answer is found in an agent's output as an object, so nothing else can be asked for.
  if (type !== 'object') return failure(`${name} must describe an object: "type": "object"`)
  const read = readOwnSchema(schema.value)
  if (!read.ok) return failure(`${name} can't be used: ${read.failure}`)
  return success(properties === undefined ? undefined : fieldsOf(objectIn(properties)))
}

function parseJson(name: string, text: string): Result<unknown, string> {
  try {
    return success(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return failure(`${name} is not JSON: ${error.message}`)
    throw error
  }
}
