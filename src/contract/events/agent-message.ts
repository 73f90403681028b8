import { z } from 'zod'
import { turnOutcomeSchema } from '../turn-outcome.ts'
import { eventSchema } from './event-schema.ts'

/** What every output of an agent comes with. */
const speaker = {
  agent: z.string(),
  role: z.string(),
  isPiece: z.boolean().optional(),
  /** The same as `sessionId` beside `data`. */
  agentSessionId: z.string().optional(),
}

const said = <const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape, ...speaker })

export const agentMessageEvents = [
  eventSchema(
    'agent_message',
    z
      .discriminatedUnion('type', [
        said('session', { providerSessionId: z.string(), model: z.string().optional() }),
        said('text', { text: z.string() }),
        said('thought', { text: z.string() }),
        said('tool-call', { name: z.string(), input: z.unknown(), callId: z.string().optional() }),
        said('tool-result', {
          name: z.string(),
          output: z.unknown(),
          callId: z.string().optional(),
          failed: z.boolean().optional(),
        }),
        said('usage', {
          inputTokens: z.number(),
          outputTokens: z.number(),
          costUsd: z.number().optional(),
          contextTokens: z.number().optional(),
          contextWindow: z.number().optional(),
        }),
        said('permission-request', {
          requestId: z.string(),
          tool: z.string(),
          input: z.unknown(),
          reason: z.string().optional(),
        }),
        said('turn-end', { outcome: turnOutcomeSchema }),
        said('result', { answer: z.unknown() }),
        said('error-output', { text: z.string() }),
        said('truncation', { droppedBytes: z.number() }),
      ])
      .meta({ id: 'AgentOutput' }),
  ),
] as const
