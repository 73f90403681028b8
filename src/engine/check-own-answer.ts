import { z } from 'zod'
import type { AnswerSchema } from '../domain/agent/answer-schema.ts'
import { whyUnsafeSchema } from '../domain/playbook/unsafe-schema.ts'
import { failure, type Result, success } from '../domain/result.ts'

const MAX_FAULTS = 3

/** Checks an answer against a playbook's own JSON Schema. A failure is one sentence that can be sent to the agent. */
export function checkOwnAnswer(schema: AnswerSchema, answer: object): Result<object, string> {
  const unsafe = whyUnsafeSchema(schema)
  if (unsafe !== undefined) return failure(`the schema of the playbook can't be used: ${unsafe}`)
  const parsed = parse(schema, answer)
  if (typeof parsed === 'string') return failure(parsed)
  if (parsed.success) return success(parsed.data as object)
  const faults = parsed.error.issues.map(({ path, message }) => `${fieldOf(path)}: ${message}`)
  const rest = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : []
  return failure(
    `the answer does not fit its schema: ${[...faults.slice(0, MAX_FAULTS), ...rest].join('; ')}`,
  )
}

/** JSON Schema has keywords that can't be checked here, and an answer may be nested deeper than calls can be. */
function parse(schema: AnswerSchema, answer: object): z.ZodSafeParseResult<unknown> | string {
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(answer)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `the answer can't be checked with the schema of the playbook: ${reason}`
  }
}

function fieldOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the answer'
  return `\`${path.map(String).join('.')}\``
}
