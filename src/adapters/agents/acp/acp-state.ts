import { z } from 'zod'
import { cleanText } from '../../../domain/clean-text.ts'
import type { DialogueState } from '../../../ports/dialogue.ts'

const requestId = z.union([z.string(), z.number()])

const stage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('initializing') }).readonly(),
  z
    .object({
      type: z.literal('opening'),
      method: z.enum(['session/new', 'session/load', 'session/resume']),
      canLoad: z.boolean(),
      takesHttp: z.boolean(),
      isAuthenticated: z.boolean(),
    })
    .readonly(),
  z.object({ type: z.literal('authenticating'), takesHttp: z.boolean() }).readonly(),
  z.object({ type: z.literal('replaying') }).readonly(),
  z.object({ type: z.literal('choosing-model') }).readonly(),
  z.object({ type: z.literal('ready') }).readonly(),
  z.object({ type: z.literal('broken'), problem: z.string() }).readonly(),
])

/** Settings of the opening that the program hasn't received yet. */
const requested = z
  .object({
    model: z.string().optional(),
    resume: z.string().optional(),
    mayBeginAnew: z.boolean().optional(),
    mcp: z.object({ url: z.string(), token: z.string() }).readonly().optional(),
  })
  .readonly()

const turn = z
  .object({
    isInterrupted: z.boolean(),
    isDenied: z.boolean(),
    /** The end of the last message. */
    answer: z.string(),
    /** Whether the next text starts a new message. */
    isAnswerFinished: z.boolean(),
    /** The status of a request to the model that failed for good; 0 if no answer came. */
    failedRequest: z.number().optional(),
    limit: z.object({ reason: z.string(), resetsAt: z.string().optional() }).readonly().optional(),
  })
  .readonly()

/** Text of a message that hasn't been reported yet. */
const chunks = z
  .object({ type: z.enum(['text', 'thought']), messageId: z.string().optional(), text: z.string() })
  .readonly()

const toolCall = z
  .object({ id: z.string(), name: z.string(), isReported: z.boolean(), input: z.unknown().optional() })
  .readonly()

const question = z
  .object({
    requestId: z.string(),
    id: requestId,
    allow: z.string().optional(),
    deny: z.string().optional(),
  })
  .readonly()

const state = z
  .object({
    stage,
    treeDirectory: z.string(),
    permissions: z.enum(['ask', 'bypass']),
    isResumed: z.boolean(),
    requested,
    login: z.string().optional(),
    sessionId: z.string().optional(),
    lastId: z.number(),
    /** The id of our request that has no answer yet. */
    awaited: z.number().optional(),
    /** Messages that haven't been sent yet, oldest first. */
    waiting: z.array(z.string()).readonly(),
    turn: turn.optional(),
    chunks: chunks.optional(),
    calls: z.array(toolCall).readonly(),
    finishedCalls: z.array(z.string()).readonly(),
    questions: z.array(question).readonly(),
    /** The cost of the whole conversation as last reported; absent until the first report. */
    costUsd: z.number().optional(),
    contextTokens: z.number().optional(),
    contextWindow: z.number().optional(),
  })
  .readonly()

export type AcpState = z.infer<typeof state>
export type AcpTurn = z.infer<typeof turn>
export type AcpStage = z.infer<typeof stage>
export type ToolCall = z.infer<typeof toolCall>
export type Question = z.infer<typeof question>

/** Reads a stored state. An unreadable one counts as a broken conversation. */
export function readAcpState(stored: DialogueState): AcpState {
  const parsed = state.safeParse(stored)
  return parsed.success ? parsed.data : UNREADABLE
}

/** The state as JSON that PostgreSQL can store, even if the program sent invalid text. */
export function storedAcpState(acpState: AcpState): DialogueState {
  return JSON.parse(JSON.stringify(acpState), (_, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  ) as DialogueState
}

const UNREADABLE: AcpState = {
  stage: { type: 'broken', problem: 'the stored state of this conversation cannot be read' },
  treeDirectory: '/',
  permissions: 'ask',
  isResumed: false,
  requested: {},
  lastId: 0,
  waiting: [],
  calls: [],
  finishedCalls: [],
  questions: [],
}
