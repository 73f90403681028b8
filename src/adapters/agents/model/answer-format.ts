import type { JSONSchema7 } from 'ai'
import { z } from 'zod'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { plannerAnswerSchema } from './planner-answer-schema.ts'
import { reviewerAnswerSchema } from './reviewer-answer-schema.ts'

/** What an answer in one role must look like: as it is asked for, and how it is read. */
export type AnswerFormat = {
  readonly schema: JSONSchema7
  /** The answer in a model's text, or what does not fit about it. */
  readonly read: (text: string) => Result<object, string>
}

const SCHEMAS: ReadonlyMap<string, z.ZodType<object>> = new Map<string, z.ZodType<object>>([
  ['planner', plannerAnswerSchema],
  ['reviewer', reviewerAnswerSchema],
])
const MAX_FAULTS = 5

export const MODEL_ROLES: readonly string[] = [...SCHEMAS.keys()]

/** The form of answers in a role; nothing for one that a model without tools cannot have. */
export function answerFormatOf(role: string): AnswerFormat | undefined {
  const schema = SCHEMAS.get(role)
  if (schema === undefined) return undefined
  return { schema: jsonSchemaOf(schema), read: (text) => readAnswer(schema, text) }
}

/**
 * Services that hold a model to a schema want every field required, and refuse words of JSON Schema that their
 * grammars cannot keep. What is left out here is checked when the answer is read.
 */
function jsonSchemaOf(schema: z.ZodType): JSONSchema7 {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.default
      delete jsonSchema.minimum
      delete jsonSchema.maximum
      delete jsonSchema.minLength
    },
  })
  return made as JSONSchema7
}

function readAnswer(schema: z.ZodType<object>, text: string): Result<object, string> {
  const found = findAnswer(text)
  if (found === undefined) return failure('there is no JSON object in it')
  const parsed = schema.safeParse(found)
  if (parsed.success) return success(parsed.data)
  const faults = parsed.error.issues.map((issue) => `${fieldOf(issue.path)}: ${issue.message}`)
  const rest = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : []
  return failure([...faults.slice(0, MAX_FAULTS), ...rest].join('; '))
}

function fieldOf(path: readonly PropertyKey[]): string {
  const joined = path.map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${String(segment)}`))
  return joined.join('').replace(/^\./, '') || '(answer)'
}
