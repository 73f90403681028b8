import type { JSONSchema7 } from 'ai'
import { z } from 'zod'
import type { AnswerSchema } from '../../../domain/agent/answer-schema.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findAnswer } from '../shared/find-answer.ts'

/** The format of a role's answers: the schema to request and the function that reads an answer. */
export type AnswerFormat = {
  readonly schema: JSONSchema7
  /** Reads the answer in a model's text, or describes what is wrong with it. */
  readonly read: (text: string) => Result<object, string>
}

const MAX_FAULTS = 5

/** Models are asked for every field. The schema's defaults are for those that omit one anyway. */
export function answerFormatOf(answer: AnswerSchema): AnswerFormat {
  const schema = z.fromJSONSchema(answer as z.core.JSONSchema.JSONSchema)
  return { schema: strictSchemaOf(schema), read: (text) => readAnswer(schema, text) }
}

/**
 * Services that enforce a schema want every field required, and refuse keywords that they can't enforce. The removed
 * keywords are checked when the answer is read.
 */
function strictSchemaOf(schema: z.ZodType): JSONSchema7 {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.default
      delete jsonSchema.minimum
      delete jsonSchema.maximum
      delete jsonSchema.minLength
      delete jsonSchema.maxLength
      delete jsonSchema.minItems
      delete jsonSchema.maxItems
      if (jsonSchema.properties === undefined) return
      jsonSchema.required = Object.keys(jsonSchema.properties)
      jsonSchema.additionalProperties = false
    },
  })
  return made as JSONSchema7
}

function readAnswer(schema: z.ZodType, text: string): Result<object, string> {
  const found = findAnswer(text)
  if (found === undefined) return failure('it contains no JSON object')
  const parsed = schema.safeParse(found)
  if (parsed.success) return success(parsed.data as object)
  const faults = parsed.error.issues.map((issue) => `${fieldOf(issue.path)}: ${issue.message}`)
  const rest = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : []
  return failure([...faults.slice(0, MAX_FAULTS), ...rest].join('; '))
}

function fieldOf(path: readonly PropertyKey[]): string {
  const joined = path.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`))
  return joined.join('').replace(/^\./, '') || '(answer)'
}
