import { z } from 'zod'
import type { Letter } from '../../../domain/message/letter.ts'
import { failure, type Result, success } from '../../../domain/result.ts'

const key = z.string().min(1).max(200).optional()
const text = z.string()
const steps = z.union([
  text,
  z
    .array(text)
    .max(100)
    .transform((lines) => lines.join('\n')),
])
const record = z.record(z.string(), z.unknown())

const letterSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('send'),
    to: text.optional(),
    subject: text.optional(),
    body: text,
    inReplyTo: text.optional(),
    metadata: record.optional(),
    key,
  }),
  z.object({
    type: z.literal('progress'),
    text,
    percent: z.number().min(0).max(100).optional(),
    key,
  }),
  z.object({ type: z.literal('complete'), summary: text, answer: record.optional(), key }),
  z.object({
    type: z.literal('handoff'),
    summary: text,
    nextSteps: steps.default(''),
    reason: text.default(''),
    to: text.optional(),
    key,
  }),
  z.object({
    type: z.literal('ask'),
    to: text.default('person'),
    subject: text.optional(),
    question: text,
    key,
  }),
])

/** The letter in a file's text, or what is wrong with it. Fields we do not know are left out. */
export function readLetter(json: string): Result<Letter, string> {
  const value = parse(json)
  if (value === undefined) return failure('it is not JSON')
  const letter = letterSchema.safeParse(value)
  if (letter.success) return success(letter.data)
  const [issue] = letter.error.issues
  return failure(`${issue?.path.join('.') || 'the letter'}: ${issue?.message ?? 'is not as it should be'}`)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
