import { assertNever } from '../assert-never.ts'
import { kindOf, wholeNumberOf } from '../discovery/answer-fields.ts'
import type {
  ListSchema,
  NumberSchema,
  ObjectSchema,
  TextSchema,
  ValueSchema,
} from '../playbook/value-schema.ts'
import { failure, type Result, success } from '../result.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads an object from an agent's answer. A required field must fit, or the problem is one sentence for the agent. Any
 * other field is used if it fits: it is no reason to ask again. Texts and lists that are too long are cut, and fields
 * that the schema doesn't have are dropped.
 */
export function readObject(schema: ObjectSchema, value: unknown, name: string): Result<Fields, string> {
  const fields = fieldsOf(schema, value)
  if (fields === undefined) return failure(`${name} must be a JSON object, but it is ${kindOf(value)}`)
  const read: [string, unknown][] = []
  for (const [field, inner] of Object.entries(schema.properties)) {
    const path = name === ANSWER ? `\`${field}\`` : `\`${field}\` of ${name}`
    const found = fieldOf(fields, field)
    const result = schema.required.includes(field)
      ? readValue(inner, found, path)
      : success(usableValue(inner, found))
    if (!result.ok) return result
    read.push([field, result.value])
  }
  return success(Object.fromEntries(read))
}

/** What is usable in an object whose fields are all optional. Fields without a default are missing if they don't fit. */
export function readUsableFields(schema: ObjectSchema, value: unknown): Fields {
  const fields = fieldsOf(schema, value) ?? {}
  const read = Object.entries(schema.properties).map(
    ([field, inner]) => [field, usableValue(inner, fieldOf(fields, field))] as const,
  )
  return Object.fromEntries(read.filter(([, found]) => found !== undefined))
}

/** The name of the whole answer in a problem. */
export const ANSWER = 'the answer'

function readValue(schema: ValueSchema, value: unknown, name: string): Result<unknown, string> {
  if (value === undefined || value === null) return failure(`${name} is missing`)
  switch (schema.type) {
    case 'string':
      return readText(schema, value, name)
    case 'integer':
      return readNumber(schema, value, name)
    case 'boolean':
      return typeof value === 'boolean'
        ? success(value)
        : failure(`${name} must be true or false, but it is ${kindOf(value)}`)
    case 'array':
      return readList(schema, value, name)
    case 'object':
      return readObject(schema, value, name)
    default:
      return assertNever(schema)
  }
}

/** A value that fits, or its default. Of a list, the entries that fit. */
function usableValue(schema: ValueSchema, value: unknown): unknown {
  if (schema.type === 'array') {
    const fitting = entriesOf(value).flatMap((entry) => {
      const read = readValue(schema.items, entry, '')
      return read.ok ? [read.value] : []
    })
    return fitting.slice(0, schema.maxItems)
  }
  const read = readValue(schema, value, '')
  if (read.ok) return read.value
  return 'default' in schema ? schema.default : undefined
}

function readText(schema: TextSchema, value: unknown, name: string): Result<string, string> {
  if (typeof value !== 'string') return failure(`${name} must be a text, but it is ${kindOf(value)}`)
  const words = schema.enum
  const text = value.trim()
  if (words !== undefined) {
    const found = words.find((each) => each.toUpperCase() === text.toUpperCase())
    return found === undefined ? failure(`${name} must be one of: ${words.join(', ')}`) : success(found)
  }
  if (text.length < (schema.minLength ?? 0)) return failure(`${name} is empty`)
  // A character that the cut divides can't be stored.
  return success(text.slice(0, schema.maxLength).replace(/\p{Cs}$/u, ''))
}

function readNumber(schema: NumberSchema, value: unknown, name: string): Result<number, string> {
  const number = wholeNumberOf(value)
  return number === undefined || number < schema.minimum
    ? failure(`${name} must be a whole number from ${schema.minimum} on`)
    : success(number)
}

function readList(schema: ListSchema, value: unknown, name: string): Result<readonly unknown[], string> {
  if (!Array.isArray(value) && typeof value !== 'string') {
    return failure(`${name} must be a list, but it is ${kindOf(value)}`)
  }
  const entries: unknown[] = []
  for (const [index, entry] of entriesOf(value).slice(0, schema.maxItems).entries()) {
    const read = readValue(schema.items, entry, `entry ${index + 1} of ${name}`)
    if (!read.ok) return read
    entries.push(read.value)
  }
  return entries.length < (schema.minItems ?? 0) ? failure(`${name} is empty`) : success(entries)
}

/** A single text counts as a list of one. Blank entries say nothing. */
function entriesOf(value: unknown): readonly unknown[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  return entries.filter((entry) => typeof entry !== 'string' || entry.trim() !== '')
}

/** A text in the place of an object is its only required field, if that is a text. */
function fieldsOf({ properties, required }: ObjectSchema, value: unknown): Fields | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  const [only, ...others] = required
  if (typeof value !== 'string' || only === undefined || others.length > 0) return undefined
  return properties[only]?.type === 'string' ? { [only]: value } : undefined
}

function fieldOf(fields: Fields, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined
}
