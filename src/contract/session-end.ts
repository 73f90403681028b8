import { z } from 'zod'
import { turnOutcomeSchema } from './turn-outcome.ts'

/** How a session ended. */
export const sessionEndSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('exited'), code: z.number() }),
    z.object({ type: z.literal('signalled'), signal: z.number() }),
    z.object({ type: z.literal('finished'), turn: turnOutcomeSchema }),
    z.object({ type: z.literal('handed-over'), to: z.string(), reason: z.string() }),
    z.object({ type: z.literal('timed-out'), afterMs: z.number() }),
    z.object({ type: z.literal('cancelled'), reason: z.string() }),
    z.object({ type: z.literal('unstarted'), reason: z.string() }),
    z.object({ type: z.literal('unprepared'), command: z.string(), code: z.number() }),
    z.object({ type: z.literal('lost'), reason: z.string() }),
  ])
  .meta({ id: 'SessionEnd' })

/** The same in one word, for whoever counts. */
export const endingSchema = z.enum([
  'done',
  'failed',
  'refused',
  'limited',
  'crashed',
  'timed-out',
  'cancelled',
  'handed-over',
])

export type WireSessionEnd = z.infer<typeof sessionEndSchema>
export type WireEnding = z.infer<typeof endingSchema>
