import { z } from 'zod'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { DialogueState } from '../../../ports/dialogue.ts'

const count = z.number().min(0).catch(0)
const text = z.string().optional().catch(undefined)

/** Every field has a value to fall back to: an older version may have stored anything. */
const stateSchema = z.object({
  permissions: z.enum(['ask', 'bypass']).catch('ask'),
  /** What the program calls the conversation, and the model it told with it. */
  sessionId: text,
  model: text,
  turn: z.enum(['idle', 'running', 'interrupting']).catch('idle'),
  /** Messages that were said during a turn. The program would make one turn of them. */
  waiting: z.array(z.string()).readonly().catch([]),
  /** Tool calls without a result yet, oldest first: their results do not name the tool. */
  calls: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .readonly()
    .catch([]),
  /** Open questions with the exact input, as JSON text, that an allowance must repeat. */
  asked: z
    .array(z.object({ id: z.string(), input: z.string() }))
    .readonly()
    .catch([]),
  /** What the program said last that the conversation has cost, where that is known. */
  costUsd: z.number().min(0).optional().catch(undefined),
  /** How full the context was at the model's last answer, and which model that was. */
  context: z.object({ tokens: count, model: z.string() }).optional().catch(undefined),
  resetsAt: text,
  /** Why we interrupted the turn ourselves. */
  givenUp: z
    .object({
      type: z.enum(['limited', 'failed']),
      reason: z.string(),
      resetsInMs: z.number().optional(),
    })
    .optional()
    .catch(undefined),
  interrupts: count,
})

export type ClaudeCodeState = Readonly<z.infer<typeof stateSchema>>

/** One step of the fold, before its state is handed out. */
export type Step = {
  readonly state: ClaudeCodeState
  readonly events: readonly AgentEvent[]
  readonly says: readonly string[]
}

export function readState(state: DialogueState): ClaudeCodeState {
  return stateSchema.parse(state)
}

/** A step in which nothing was learnt and nothing is said. */
export function quiet(state: ClaudeCodeState): Step {
  return { state, events: [], says: [] }
}
