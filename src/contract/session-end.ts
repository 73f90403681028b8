import { z } from 'zod'

/** How a session's program ended. */
export const sessionEndSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('exited'), code: z.number() }),
    z.object({ type: z.literal('signalled'), signal: z.number() }),
    z.object({ type: z.literal('timed-out'), afterMs: z.number() }),
    z.object({ type: z.literal('cancelled'), reason: z.string() }),
    z.object({ type: z.literal('unstarted'), reason: z.string() }),
    z.object({ type: z.literal('lost'), reason: z.string() }),
  ])
  .meta({ id: 'SessionEnd' })

export type WireSessionEnd = z.infer<typeof sessionEndSchema>
