import { z } from 'zod'
import { turnOutcomeSchema } from '../session-end.ts'
import { eventSchema } from './event-schema.ts'

/** Fields of every agent output. */
const speaker = {
  agent: z.string(),
  role: z.string(),
  isPiece: z.boolean().optional(),
  /** Same as `sessionId` beside `data`. */
  agentSessionId: z.string().optional(),
}

const output = <const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape, ...speaker })

export const agentMessageEvents = [
  eventSchema(
    'agent_message',
    z
      .discriminatedUnion('type', [
        output('session', { providerSessionId: z.string(), model: z.string().optional() }),
        output('text', { text: z.string() }),
        output('thought', { text: z.string() }),
        output('tool-call', { name: z.string(), input: z.unknown(), callId: z.string().optional() }),
        output('tool-result', {
          name: z.string(),
          output: z.unknown(),
          callId: z.string().optional(),
          failed: z.boolean().optional(),
        }),
        output('usage', {
          inputTokens: z.number(),
          outputTokens: z.number(),
          costUsd: z.number().optional(),
          contextTokens: z.number().optional(),
          contextWindow: z.number().optional(),
        }),
        output('permission-request', {
          requestId: z.string(),
          tool: z.string(),
          input: z.unknown(),
          reason: z.string().optional(),
        }),
        output('turn-end', { outcome: turnOutcomeSchema }),
        output('result', { answer: z.unknown() }),
        output('error-output', { text: z.string() }),
        output('truncation', { droppedBytes: z.number(), mayBeMore: z.boolean().optional() }),
      ])
      .meta({ id: 'AgentOutput' }),
  ),
] as const
