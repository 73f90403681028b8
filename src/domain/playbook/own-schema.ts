import { RUN_LIMITS } from '../limits/run-limits.ts'
import { failure, type Result, success } from '../result.ts'

/**
 * A playbook's own JSON Schema, as far as Muster checks answers with it. Every part has one place and checks one value,
 * so a check takes at most as many steps as the schema has parts, times the values of the answer.
 */
export type OwnSchema = {
  /** Absent if any type will do. */
  readonly type?: OwnType
  readonly isNullable: boolean
  /** The values that are allowed; absent if all are. */
  readonly values?: readonly OwnValue[]
  readonly fields: Readonly<Record<string, OwnSchema>>
  readonly required: readonly string[]
  /** Whether fields that the schema doesn't name are faults. */
  readonly isClosed: boolean
  readonly items?: OwnSchema
  /** A number, the characters of a text or the entries of a list. */
  readonly least?: number
  readonly most?: number
  readonly alternatives: readonly OwnSchema[]
  /** What a missing field is filled in with. */
  readonly default?: unknown
}

export type OwnType = (typeof TYPES)[number]
export type OwnValue = string | number | boolean | null

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const

const KEYWORDS: readonly string[] = [
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'anyOf'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default'],
]

/** They describe a schema and check nothing. */
const NOTES: readonly string[] = [
  ...['$schema', '$id', '$comment', 'title', 'description', 'examples', 'format', 'deprecated'],
]

type Json = Readonly<Record<string, unknown>>

/** Reads a JSON Schema. A failure continues the sentence "it can't be used: ...". */
export function readOwnSchema(json: unknown): Result<OwnSchema, string> {
  const parts = { left: RUN_LIMITS.schemaParts }
  try {
    return success(readPart(json, 1, parts))
  } catch (error) {
    if (error instanceof UnusableSchema) return failure(error.message)
    throw error
  }
}

/** Ends the reading of a schema, however deep it is. Never leaves this file. */
class UnusableSchema extends Error {}

function readPart(json: unknown, depth: number, parts: { left: number }): OwnSchema {
  parts.left -= 1
  if (parts.left < 0) throw new UnusableSchema(`it has more than ${RUN_LIMITS.schemaParts} parts`)
  if (depth > RUN_LIMITS.schemaDepth) throw new UnusableSchema('it is nested too deeply')
  const schema = json === true ? {} : json
  if (!isObject(schema)) throw new UnusableSchema('a part of it is not an object')
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.includes(key) && !NOTES.includes(key))
  if (unknown !== undefined) throw new UnusableSchema(whyNot(unknown))
  const inner = (part: unknown) => readPart(part, depth + 1, parts)
  const { properties = {}, items, anyOf = [], required = [], additionalProperties = true } = schema
  if (!isObject(properties)) throw new UnusableSchema('"properties" must be an object')
  if (!Array.isArray(anyOf)) throw new UnusableSchema('"anyOf" must be a list')
  if (typeof additionalProperties !== 'boolean') {
    throw new UnusableSchema('"additionalProperties" must be true or false')
  }
  return {
    ...typeOf(schema),
    ...valuesOf(schema),
    fields: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    required: textsIn(required),
    isClosed: !additionalProperties,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...boundsOf(schema),
    alternatives: anyOf.map(inner),
    ...('default' in schema ? { default: schema['default'] } : {}),
  }
}

function whyNot(keyword: string): string {
  if (keyword.endsWith('ef')) return `it uses "${keyword}"; write that part of the schema out instead`
  if (keyword.startsWith('pattern'))
    return `it uses "${keyword}", whose patterns could take too long to check`
  return `it uses "${keyword}"; these keywords are checked: ${KEYWORDS.join(', ')}`
}

/** A list of types may only add null. More types would let each part of a schema be checked several times. */
function typeOf({ type }: Json): Pick<OwnSchema, 'type' | 'isNullable'> {
  if (type === undefined) return { isNullable: false }
  const names = textsIn(Array.isArray(type) ? type : [type])
  const [name = 'null', ...others] = names.filter((one) => one !== 'null')
  const found = TYPES.find((one) => one === name)
  if (found === undefined) throw new UnusableSchema(`there is no type "${name}"`)
  if (others.length > 0)
    throw new UnusableSchema('a list of types may only be a type and "null"; use "anyOf"')
  return { type: found, isNullable: names.includes('null') }
}

function valuesOf({ enum: values, const: only }: Json): Pick<OwnSchema, 'values'> {
  if (values === undefined && only === undefined) return {}
  const all: readonly unknown[] = Array.isArray(values) ? values : [values === undefined ? only : values]
  if (!all.every(isScalar)) {
    throw new UnusableSchema('"enum" and "const" may only have texts, numbers, true, false and null')
  }
  return { values: all }
}

function boundsOf(schema: Json): Pick<OwnSchema, 'least' | 'most'> {
  const bound = (...names: readonly string[]): number | undefined => {
    const name = names.find((one) => schema[one] !== undefined)
    const value = name === undefined ? undefined : schema[name]
    if (value !== undefined && typeof value !== 'number')
      throw new UnusableSchema(`"${name}" must be a number`)
    return value
  }
  const least = bound('minimum', 'minLength', 'minItems')
  const most = bound('maximum', 'maxLength', 'maxItems')
  return { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) }
}

function isScalar(value: unknown): value is OwnValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textsIn(list: unknown): readonly string[] {
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list
  throw new UnusableSchema('"type" and "required" must be texts')
}
