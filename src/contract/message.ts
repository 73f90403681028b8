import { z } from 'zod'
import { MESSAGE_LIMITS } from '../domain/limits/message-limits.ts'
import type { MessageRequest } from '../domain/message/message-request.ts'
import { MESSAGE_PRIORITIES, MESSAGE_TYPES } from '../domain/message/message-type.ts'
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
  .max(MESSAGE_LIMITS.waitSeconds)
  .optional()
  .describe(`Wait up to this many seconds (at most ${MESSAGE_LIMITS.waitSeconds}) if there is nothing yet`)

const idsSchema = z.array(idSchema).max(100)

const typeSchema = z.enum(MESSAGE_TYPES)
const prioritySchema = z.enum(MESSAGE_PRIORITIES)

const deadlineSchema = z
  .string()
  .max(40)
  .optional()
  .describe('When you need the reply: a duration such as 15m, or an ISO 8601 time. You are told if none came')

/** A message and its delivery status. */
export const messageSchema = z
  .object({
    id: z.string(),
    jobId: z.string().optional(),
    /** A session id, `person` or `engine`. */
    from: z.string(),
    /** The role of the session that sent it. */
    fromRole: z.string().optional(),
    /** `person`, `engine`, `broadcast`, `agent:<name>`, `role:<role>` or a session id. */
    to: z.string(),
    /** The role of the session that it is addressed to. */
    toRole: z.string().optional(),
    /** What Muster does with it. An `output` is what a stage of a run passed on; nobody receives it as a message. */
    kind: z.enum(['text', 'progress', 'complete', 'handoff', 'question', 'answer', 'output']),
    /** What it is about. */
    type: typeSchema,
    priority: prioritySchema,
    /** The conversation that it belongs to: the id of a run, or of the message that started it. */
    threadId: z.string(),
    subject: z.string(),
    /** The text, or only its start if there is `bodyBytes`. */
    body: z.string(),
    /** The size of the whole text, which the message's own address returns. */
    bodyBytes: z.number().optional(),
    /** The broadcast that this is one recipient's copy of. */
    broadcastId: z.string().optional(),
    requiresResponse: z.boolean(),
    deadline: instantSchema.optional(),
    /** When the deadline had passed without a reply. */
    overdueAt: instantSchema.optional(),
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
  type: typeSchema.optional(),
  /** The messages of one conversation, each broadcast once. */
  thread: z.string().max(100).optional(),
  /** The same for a run. */
  run: idSchema.optional(),
  /** From or to this role. */
  role: z.string().max(64).optional(),
  since: instantSchema.optional(),
})

/** The filters of an agent that reads the thread of its run. */
export const threadQuerySchema = messageQuerySchema.pick({
  limit: true,
  cursor: true,
  type: true,
  role: true,
  since: true,
})

/** A message from a person, to a recipient or in reply to another message. */
export const personMessageRequestSchema = z
  .object({
    to: z.string().min(1).max(100).optional(),
    /** Required for `agent:<name>` and `role:<role>`, which are only defined within a job. */
    jobId: idSchema.optional(),
    /** For `role:<role>` and `broadcast` within a run. */
    runId: idSchema.optional(),
    subject: z.string().max(300).optional(),
    type: typeSchema.optional(),
    /** The name of `type` in the requests of agents. */
    messageType: typeSchema.optional(),
    priority: prioritySchema.optional(),
    body: z.string().min(1),
    inReplyTo: idSchema.optional(),
  })
  .strict()
  .refine(({ to, inReplyTo }) => (to === undefined) !== (inReplyTo === undefined), {
    message: 'set either `to` or `inReplyTo`',
  })

export const inboxQuerySchema = z.object({
  wait: z.coerce.number().min(0).max(MESSAGE_LIMITS.waitSeconds).optional(),
})
export const acknowledgeRequestSchema = z.object({ acknowledge: idsSchema.min(1) })

export const sendRequestSchema = z.object({
  to: z
    .string()
    .max(100)
    .optional()
    .describe(
      'person, agent:<name>, role:<role> or a session id; in a run also broadcast and orchestrator. Omit it if you set inReplyTo',
    ),
  messageType: typeSchema.optional().describe('What the message is about; feedback unless you say otherwise'),
  priority: prioritySchema.optional().describe('How urgent it is; inboxes are read in this order'),
  subject: z.string().max(300).optional(),
  body: z
    .string()
    .min(1)
    .describe('The text, at most 1 MiB. Beyond 64 KiB, readers get its start and read the rest by its id'),
  requiresResponse: z.boolean().optional().describe('Whether you expect a reply'),
  deadline: deadlineSchema,
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
  priority: prioritySchema.optional(),
  subject: z.string().max(300).optional(),
  deadline: deadlineSchema,
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

export const readToolSchema = z.object({
  id: idSchema.describe('The id of a message to you, from you, or in the thread of your run'),
})

export const threadToolSchema = z.object({
  type: typeSchema.optional(),
  role: z.string().max(64).optional().describe('Only messages from or to this role'),
  limit: z.number().int().min(1).max(100).optional().describe('How many; 20 unless you say otherwise'),
  cursor: z.string().max(100).optional().describe('nextCursor of the call before, for older messages'),
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
