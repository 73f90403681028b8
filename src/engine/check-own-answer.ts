import { z } from 'zod'
import type { AnswerSchema } from '../domain/agent/answer-schema.ts'
import { failure, type Result, success } from '../domain/result.ts'

const MAX_FAULTS = 3

/** Checks an answer against a playbook's own JSON Schema. A failure is one sentence that can be sent to the agent. */
export function checkOwnAnswer(schema: AnswerSchema, answer: object): Result<object, string> {
  const reader = readerOf(schema)
  if (!reader.ok) return reader
  const parsed = reader.value.safeParse(answer)
  if (parsed.success) return success(parsed.data as object)
  const faults = parsed.error.issues.map(({ path, message }) => `${fieldOf(path)}: ${message}`)
  const rest = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : []
  return failure(
    `the answer does not fit its schema: ${[...faults.slice(0, MAX_FAULTS), ...rest].join('; ')}`,
  )
}

/** JSON Schema has keywords that can't be checked here. */
function readerOf(schema: AnswerSchema): Result<z.ZodType, string> {
  try {
    return success(z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failure(`the schema of the playbook can't be used: ${reason}`)
  }
}

function fieldOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the answer'
  return `\`${path.map(String).join('.')}\``
}
