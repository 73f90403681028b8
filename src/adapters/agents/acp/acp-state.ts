import { z } from 'zod'
import type { DialogueState } from '../../../ports/dialogue.ts'
import { cleanText } from '../shared/storable-text.ts'

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

/** What the opening asked for and the program has not been told yet. */
const wishes = z
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
    /** The end of the last message so far. */
    answer: z.string(),
    /** Whether what is said next is another message. */
    isAnswerOver: z.boolean(),
    limit: z.object({ reason: z.string(), resetsAt: z.string().optional() }).readonly().optional(),
  })
  .readonly()

/** Chunks of one message that were not told yet. */
const chunks = z
  .object({ type: z.enum(['text', 'thought']), messageId: z.string().optional(), text: z.string() })
  .readonly()

const toolCall = z
  .object({ id: z.string(), name: z.string(), isTold: z.boolean(), input: z.unknown().optional() })
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
    wishes,
    login: z.string().optional(),
    sessionId: z.string().optional(),
    lastId: z.number(),
    /** The one request of ours that has no answer yet. */
    awaited: z.number().optional(),
    /** Messages that were not sent yet, oldest first. */
    waiting: z.array(z.string()).readonly(),
    turn: turn.optional(),
    chunks: chunks.optional(),
    calls: z.array(toolCall).readonly(),
    finishedCalls: z.array(z.string()).readonly(),
    questions: z.array(question).readonly(),
    /** Of the whole conversation, as last told; absent until the first telling. */
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

/** A state that cannot be read is one in which nothing more can be said. */
export function readAcpState(stored: DialogueState): AcpState {
  const parsed = state.safeParse(stored)
  return parsed.success ? parsed.data : UNREADABLE
}

/** Plain JSON that PostgreSQL can hold, whatever the program told us. */
export function storedAcpState(acpState: AcpState): DialogueState {
  return JSON.parse(JSON.stringify(acpState), (_, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  ) as DialogueState
}

const UNREADABLE: AcpState = {
  stage: { type: 'broken', problem: 'what was stored of this conversation cannot be read' },
  treeDirectory: '/',
  permissions: 'ask',
  isResumed: false,
  wishes: {},
  lastId: 0,
  waiting: [],
  calls: [],
  finishedCalls: [],
  questions: [],
}
