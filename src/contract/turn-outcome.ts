import { z } from 'zod'

/** How one turn of a conversation with an agent ended. */
export const turnOutcomeSchema = z
  .discriminatedUnion('type', [
    /** `text` is the last thing the agent said: its answer. */
    z.object({ type: z.literal('done'), text: z.string() }),
    z.object({ type: z.literal('failed'), reason: z.string() }),
    z.object({ type: z.literal('refused'), reason: z.string() }),
    z.object({
      type: z.literal('limited'),
      reason: z.string(),
      resetsAt: z.string().optional(),
      resetsInMs: z.number().optional(),
    }),
    z.object({ type: z.literal('interrupted') }),
  ])
  .meta({ id: 'TurnOutcome' })

export type WireTurnOutcome = z.infer<typeof turnOutcomeSchema>
