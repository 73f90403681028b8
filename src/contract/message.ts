import { z } from 'zod'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import type { MessageRequest } from '../domain/message/message-request.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { pageSchema } from './envelope.ts'
import { instantSchema } from './instant.ts'
import { pageQuerySchema } from './page-query.ts'
import { parseJson } from './parse-json.ts'

const keySchema = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Your own name for this message: sent again under the same one, it is not sent twice')

const waitSchema = z
  .number()
  .min(0)
  .max(HTTP_LIMITS.waitSeconds)
  .optional()
  .describe(`Wait up to so many seconds (at most ${HTTP_LIMITS.waitSeconds}) if there is nothing yet`)

const idsSchema = z.array(z.string().max(64)).max(100)

/** One message with its receipt. */
export const messageSchema = z
  .object({
    id: z.string(),
    jobId: z.string().optional(),
    /** A session's id, `person` or `engine`. */
    from: z.string(),
    /** `person`, `engine`, `agent:<name>`, `role:<role>` or a session's id. */
    to: z.string(),
    kind: z.enum(['text', 'progress', 'complete', 'handoff', 'question', 'answer']),
    subject: z.string(),
    body: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    inReplyTo: z.string().optional(),
    status: z.enum(['queued', 'delivered', 'acknowledged', 'failed']),
    /** Who was given it. */
    reader: z.string().optional(),
    /** Why it failed. */
    reason: z.string().optional(),
    createdAt: instantSchema,
    deliveredAt: instantSchema.optional(),
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Message' })

export const messageListSchema = z.object({ items: z.array(messageSchema) })
export const messagePageSchema = pageSchema(messageSchema)

export const messageQuerySchema = pageQuerySchema.extend({
  job: z.string().max(64).optional(),
  session: z.string().max(64).optional(),
  recipient: z.string().max(100).optional(),
  kind: messageSchema.shape.kind.optional(),
})

/** A person's message: to somebody, or in reply to something. */
export const personMessageRequestSchema = z
  .object({
    to: z.string().min(1).max(100).optional(),
    /** Needed for `agent:<name>` and `role:<role>`, which mean something within a job alone. */
    jobId: z.string().max(64).optional(),
    subject: z.string().max(300).optional(),
    body: z.string().min(1),
    inReplyTo: z.string().max(64).optional(),
  })
  .strict()
  .refine(({ to, inReplyTo }) => (to === undefined) !== (inReplyTo === undefined), {
    message: 'give either `to` or `inReplyTo`',
  })

export const inboxQuerySchema = z.object({
  wait: z.coerce.number().min(0).max(HTTP_LIMITS.waitSeconds).optional(),
})
export const acknowledgeRequestSchema = z.object({ acknowledge: idsSchema.min(1) })

export const sendRequestSchema = z.object({
  to: z
    .string()
    .max(100)
    .optional()
    .describe('person, agent:<name>, role:<role> or the id of a session; not needed with inReplyTo'),
  subject: z.string().max(300).optional(),
  body: z.string().min(1).describe('The text, at most 64 KiB'),
  inReplyTo: z.string().max(64).optional().describe('The id of a message to you that this replies to'),
  metadata: z.record(z.string(), z.unknown()).optional(),
  key: keySchema,
})

export const progressRequestSchema = z.object({
  text: z.string().min(1).describe('What you are doing now or have just done, in a sentence or two'),
  percent: z.number().min(0).max(100).optional(),
  key: keySchema,
})

export const completeRequestSchema = z.object({
  summary: z.string().min(1).describe('What you did and how you made sure that it works'),
  answer: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The JSON object that your role was asked to answer with, if it was'),
  key: keySchema,
})

export const handoffRequestSchema = z.object({
  summary: z.string().min(1).describe('What was done, decided and found out so far'),
  nextSteps: z
    .union([z.string(), z.array(z.string()).max(100)])
    .transform((steps) => (typeof steps === 'string' ? steps : steps.join('\n')))
    .default('')
    .describe('What is to be done next, in order; text, or a list of lines'),
  reason: z.string().default('').describe('Why you hand over'),
  to: z.string().max(64).optional().describe('The name of the agent that is to go on; by default the same'),
  key: keySchema,
})

export const askRequestSchema = z.object({
  question: z.string().min(1),
  to: z
    .string()
    .max(100)
    .default('person')
    .describe('person, role:<role>, agent:<name>, or predecessor: whoever worked on this task before'),
  subject: z.string().max(300).optional(),
  wait: waitSchema,
  key: keySchema,
})

export const askedSchema = z.object({ question: messageSchema, answer: messageSchema.optional() })

/** Any message of an agent as one value, which is how it lies in an outbox. */
const messageRequestSchema = z.discriminatedUnion('type', [
  sendRequestSchema.extend({ type: z.literal('send') }),
  progressRequestSchema.extend({ type: z.literal('progress') }),
  completeRequestSchema.extend({ type: z.literal('complete') }),
  handoffRequestSchema.extend({ type: z.literal('handoff') }),
  askRequestSchema.omit({ wait: true }).extend({ type: z.literal('ask') }),
])

/** The message in a file's text, or what is wrong with it. Unknown fields are ignored. */
export function parseMessageRequest(text: string): Result<MessageRequest, string> {
  const value = parseJson(text)
  if (value === undefined) return failure('it is not JSON')
  const parsed = messageRequestSchema.safeParse(value)
  if (parsed.success) return success(parsed.data)
  const [issue] = parsed.error.issues
  return failure(`${issue?.path.join('.') || 'the message'}: ${issue?.message ?? 'is not valid'}`)
}

export const inboxToolSchema = z.object({
  acknowledge: idsSchema.optional().describe('Ids of messages you have read: they come no more'),
  wait: waitSchema,
})

export const skillSummarySchema = z.object({ name: z.string(), description: z.string() })
export const skillListSchema = z.object({ items: z.array(skillSummarySchema) })
export const skillSchema = skillSummarySchema.extend({ text: z.string() }).meta({ id: 'Skill' })
export const skillsToolSchema = z.object({
  name: z.string().max(64).optional().describe('The skill to read; without it all are listed'),
})

export type WireMessageRequest = z.output<typeof messageRequestSchema>
export type WireMessage = z.infer<typeof messageSchema>
export type WirePersonMessageRequest = z.input<typeof personMessageRequestSchema>
export type WireSendRequest = z.input<typeof sendRequestSchema>
export type WireProgressRequest = z.input<typeof progressRequestSchema>
export type WireCompleteRequest = z.input<typeof completeRequestSchema>
export type WireHandoffRequest = z.input<typeof handoffRequestSchema>
export type WireAskRequest = z.input<typeof askRequestSchema>
