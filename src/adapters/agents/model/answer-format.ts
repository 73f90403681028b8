import type { JSONSchema7 } from 'ai'
import { z } from 'zod'
import { ROLE_FOR } from '../../../domain/attempt/attempt-purpose.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findAnswer } from '../shared/find-answer.ts'

/** The format of a role's answers: the schema to request and the function that reads an answer. */
export type AnswerFormat = {
  readonly schema: JSONSchema7
  /** Reads the answer in a model's text, or describes what is wrong with it. */
  readonly read: (text: string) => Result<object, string>
}

const texts = z.array(z.string()).default([])
const numbers = z.array(z.int()).default([])

const task = z.object({
  description: z.string().min(1),
  context: z.string().default(''),
  files: texts,
  successCriteria: texts,
  priority: z.enum(['P0', 'P1', 'P2']).default('P1'),
  parallel: z.boolean().default(true),
  dependsOn: numbers.describe('numbers of tasks in this answer, counted from 1'),
  clauses: numbers.describe('numbers of the clauses of the goal that the task serves'),
})

/** A goal without clauses has nothing to number. Then a sentence is enough. */
const evidence = z.union([z.object({ clause: z.int(), evidence: z.string() }), z.string()])

/** A planner's answer. Models are asked for every field. The defaults are for those that omit one anyway. */
const plannerAnswerSchema = z.object({
  tasks: z.array(task).default([]),
  reasoning: z.string().default(''),
  blockers: texts,
  done: z.boolean(),
  evidence: z.array(evidence).default([]),
  learnings: texts,
})

const issue = z.object({
  severity: z.string().default(''),
  location: z.string().default(''),
  issue: z.string().min(1),
  suggestion: z.string().default(''),
})

const criterion = z.object({
  criterion: z.int().describe('number of the success criterion, counted from 1'),
  met: z.boolean(),
  evidence: z.string().default(''),
})

/** A reviewer's answer. The verdict has no default, because a missing verdict is not an approval. */
const reviewerAnswerSchema = z.object({
  verdict: z.enum(['APPROVED', 'NEEDS_REVISION', 'REJECTED']),
  summary: z.string().default(''),
  issues: z.array(issue).default([]),
  criteria: z.array(criterion).default([]),
})

const SCHEMAS: ReadonlyMap<string, z.ZodType<object>> = new Map<string, z.ZodType<object>>([
  [ROLE_FOR.discovery, plannerAnswerSchema],
  [ROLE_FOR.review, reviewerAnswerSchema],
])
const MAX_FAULTS = 5

/** The format of a role's answers; undefined for a role that a model can't take. */
export function answerFormatOf(role: string): AnswerFormat | undefined {
  const schema = SCHEMAS.get(role)
  if (schema === undefined) return undefined
  return { schema: jsonSchemaOf(schema), read: (text) => readAnswer(schema, text) }
}

/**
 * Services that enforce a schema want every field required, and refuse keywords that they can't enforce. The removed
 * keywords are checked when the answer is read.
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
  if (found === undefined) return failure('it contains no JSON object')
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
