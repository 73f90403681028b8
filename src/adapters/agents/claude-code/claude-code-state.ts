import { z } from 'zod'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { DialogueState } from '../../../ports/dialogue.ts'

const count = z.number().min(0).catch(0)
const text = z.string().optional().catch(undefined)

/** Every field has a fallback, because an older version may have stored something else. */
const stateSchema = z.object({
  permissions: z.enum(['ask', 'bypass']).catch('ask'),
  /** The program's id for the conversation, and the model that it reported. */
  sessionId: text,
  model: text,
  turn: z.enum(['idle', 'running', 'interrupting']).catch('idle'),
  /** Messages that arrived during a turn. Sent at once, the program would merge them into one turn. */
  waiting: z.array(z.string()).readonly().catch([]),
  /** Tool calls without a result, oldest first. A result doesn't name its tool. */
  calls: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .readonly()
    .catch([]),
  /** Open permission requests. To allow one, the answer must repeat its exact input, kept as JSON text. */
  asked: z
    .array(z.object({ id: z.string(), input: z.string() }))
    .readonly()
    .catch([]),
  /** The cost of the conversation as last reported, if it's known. */
  costUsd: z.number().min(0).optional().catch(undefined),
  /** The context size at the model's last answer, and that model. */
  context: z.object({ tokens: count, model: z.string() }).optional().catch(undefined),
  /** The window of a model as a result reported it. Until then, the model's name decides. */
  window: z.object({ tokens: count, model: z.string() }).optional().catch(undefined),
  resetsAt: text,
  /** The model's service, or the program itself, rejected the log-in during this turn. */
  isLoginRefused: z.boolean().optional().catch(undefined),
  /** Why we interrupted the turn. */
  givenUp: z
    .object({
      type: z.enum(['limited', 'login', 'network']),
      reason: z.string(),
      status: z.number().optional(),
      resetsInMs: z.number().optional(),
    })
    .optional()
    .catch(undefined),
  interrupts: count,
})

export type ClaudeCodeState = Readonly<z.infer<typeof stateSchema>>

/** The result of one line: the next state, events, and lines to write. */
export type Step = {
  readonly state: ClaudeCodeState
  readonly events: readonly AgentEvent[]
  readonly says: readonly string[]
}

export function readState(state: DialogueState): ClaudeCodeState {
  return stateSchema.parse(state)
}

/** A step without events or lines to write. */
export function quiet(state: ClaudeCodeState): Step {
  return { state, events: [], says: [] }
}
