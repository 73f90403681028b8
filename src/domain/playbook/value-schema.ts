import { ANSWER_LIMITS } from '../limits/answer-limits.ts'

/** The part of JSON Schema that describes Muster's own answers: enough to ask for a value and to read it. */
export type ValueSchema = TextSchema | NumberSchema | FlagSchema | ListSchema | ObjectSchema

type Described = { readonly description: string }

export type TextSchema = Described & {
  readonly type: 'string'
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string
}

export type NumberSchema = Described & { readonly type: 'integer'; readonly minimum: number }

export type FlagSchema = Described & { readonly type: 'boolean' }

export type ListSchema = Described & {
  readonly type: 'array'
  readonly items: ValueSchema
  readonly minItems?: number
  readonly maxItems: number
  readonly default?: readonly []
}

/** A field that isn't required has a default. */
export type ObjectSchema = Described & {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ValueSchema>>
  readonly required: readonly string[]
}

const LIMITS = ANSWER_LIMITS.visit

/** A text that must not be empty. */
export function text(description: string, maxLength: number = LIMITS.textCharacters): TextSchema {
  return { type: 'string', description, minLength: 1, maxLength }
}

/** A text that may be left out. */
export function optionalText(description: string, maxLength: number = LIMITS.textCharacters): TextSchema {
  return { type: 'string', description, maxLength, default: '' }
}

/** One of these words. */
export function word(description: string, words: readonly string[]): TextSchema {
  return { type: 'string', description, enum: words }
}

export function wholeNumber(description: string, minimum: number): NumberSchema {
  return { type: 'integer', description, minimum }
}

export function flag(description: string): FlagSchema {
  return { type: 'boolean', description }
}

/** A list that may be left out. */
export function list(description: string, items: ValueSchema): ListSchema {
  return { type: 'array', description, items, maxItems: LIMITS.listItems, default: [] }
}

/** A list that must be there, if only to say that it is empty. */
export function requiredList(description: string, items: ValueSchema, minItems = 0): ListSchema {
  const least = minItems === 0 ? {} : { minItems }
  return { type: 'array', description, items, ...least, maxItems: LIMITS.listItems }
}

/** An object whose fields are required unless they have a default. */
export function object(description: string, properties: Readonly<Record<string, ValueSchema>>): ObjectSchema {
  const required = Object.keys(properties).filter((name) => !hasDefault(properties[name]))
  return { type: 'object', description, properties, required }
}

function hasDefault(schema: ValueSchema | undefined): boolean {
  return schema !== undefined && 'default' in schema
}
