import { z } from 'zod'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import type { MessageRequest } from '../domain/message/message-request.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { pageSchema } from './envelope.ts'
import { instantSchema } from './instant.ts'
import { pageQuerySchema } from './page-query.ts'
import { parseJson } from './parse-json.ts'
import { idSchema } from './text.ts'

const keySchema = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('An id of your choice for this message: sending it again with the same id has no effect')

const waitSchema = z
  .number()
  .min(0)
  .max(HTTP_LIMITS.waitSeconds)
  .optional()
  .describe(`Wait up to this many seconds (at most ${HTTP_LIMITS.waitSeconds}) if there is nothing yet`)

const idsSchema = z.array(idSchema).max(100)

/** A message and its delivery status. */
export const messageSchema = z
  .object({
    id: z.string(),
    jobId: z.string().optional(),
    /** A session id, `person` or `engine`. */
    from: z.string(),
    /** `person`, `engine`, `agent:<name>`, `role:<role>` or a session id. */
    to: z.string(),
    kind: z.enum(['text', 'progress', 'complete', 'handoff', 'question', 'answer']),
    subject: z.string(),
    body: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    inReplyTo: z.string().optional(),
    status: z.enum(['queued', 'delivered', 'acknowledged', 'failed']),
    /** Who received it. */
    reader: z.string().optional(),
    /** Why delivery failed. */
    reason: z.string().optional(),
    createdAt: instantSchema,
    deliveredAt: instantSchema.optional(),
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Message' })

export const messageListSchema = z.object({ items: z.array(messageSchema) })
export const messagePageSchema = pageSchema(messageSchema)

export const messageQuerySchema = pageQuerySchema.extend({
  job: idSchema.optional(),
  session: idSchema.optional(),
  recipient: z.string().max(100).optional(),
  kind: messageSchema.shape.kind.optional(),
})

/** A message from a person, to a recipient or in reply to another message. */
export const personMessageRequestSchema = z
  .object({
    to: z.string().min(1).max(100).optional(),
    /** Required for `agent:<name>` and `role:<role>`, which are only defined within a job. */
    jobId: idSchema.optional(),
    subject: z.string().max(300).optional(),
    body: z.string().min(1),
    inReplyTo: idSchema.optional(),
  })
  .strict()
  .refine(({ to, inReplyTo }) => (to === undefined) !== (inReplyTo === undefined), {
    message: 'set either `to` or `inReplyTo`',
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
    .describe('person, agent:<name>, role:<role> or a session id; omit it if you set inReplyTo'),
  subject: z.string().max(300).optional(),
  body: z.string().min(1).describe('The text, at most 64 KiB'),
  inReplyTo: idSchema.optional().describe('The id of the message to you that this replies to'),
  metadata: z.record(z.string(), z.unknown()).optional(),
  key: keySchema,
})

export const progressRequestSchema = z.object({
  text: z.string().min(1).describe('What you are doing now or have just done, in a sentence or two'),
  percent: z.number().min(0).max(100).optional(),
  key: keySchema,
})

export const completeRequestSchema = z.object({
  summary: z.string().min(1).describe('What you did and how you verified that it works'),
  answer: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The JSON object that your prompt asks for, if any'),
  key: keySchema,
})

export const handoffRequestSchema = z.object({
  summary: z.string().min(1).describe('What has been done, decided and found out so far'),
  nextSteps: z
    .union([z.string(), z.array(z.string()).max(100)])
    .transform((steps) => (typeof steps === 'string' ? steps : steps.join('\n')))
    .default('')
    .describe('What to do next, in order; text, or a list of lines'),
  reason: z.string().default('').describe('Why you are handing over'),
  to: z
    .string()
    .max(64)
    .optional()
    .describe('The name of the agent that should continue; by default the same one'),
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

/** Any agent message as one value, which is the format of a file in an outbox. */
const messageRequestSchema = z.discriminatedUnion('type', [
  sendRequestSchema.extend({ type: z.literal('send') }),
  progressRequestSchema.extend({ type: z.literal('progress') }),
  completeRequestSchema.extend({ type: z.literal('complete') }),
  handoffRequestSchema.extend({ type: z.literal('handoff') }),
  askRequestSchema.omit({ wait: true }).extend({ type: z.literal('ask') }),
])

/** Parses the text of an outbox file; a failure explains what is wrong. Unknown fields are ignored. */
export function parseMessageRequest(text: string): Result<MessageRequest, string> {
  const value = parseJson(text)
  if (value === undefined) return failure('it is not valid JSON')
  const parsed = messageRequestSchema.safeParse(value)
  if (parsed.success) return success(parsed.data)
  const [issue] = parsed.error.issues
  return failure(`${issue?.path.join('.') || 'the message'}: ${issue?.message ?? 'is invalid'}`)
}

export const inboxToolSchema = z.object({
  acknowledge: idsSchema
    .optional()
    .describe('Ids of messages you have read, so they are not delivered again'),
  wait: waitSchema,
})

export const skillSummarySchema = z.object({ name: z.string(), description: z.string() })
export const skillListSchema = z.object({ items: z.array(skillSummarySchema) })
export const skillSchema = skillSummarySchema.extend({ text: z.string() }).meta({ id: 'Skill' })
export const skillsToolSchema = z.object({
  name: z.string().max(64).optional().describe('The skill to read; omit it to list all skills'),
})

export type WireMessageRequest = z.output<typeof messageRequestSchema>
export type WireMessage = z.infer<typeof messageSchema>
export type WirePersonMessageRequest = z.input<typeof personMessageRequestSchema>
export type WireSendRequest = z.input<typeof sendRequestSchema>
export type WireProgressRequest = z.input<typeof progressRequestSchema>
export type WireCompleteRequest = z.input<typeof completeRequestSchema>
export type WireHandoffRequest = z.input<typeof handoffRequestSchema>
export type WireAskRequest = z.input<typeof askRequestSchema>
