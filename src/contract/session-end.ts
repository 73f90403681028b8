import { z } from 'zod'

/** How one turn of a conversation with an agent ended. */
export const turnOutcomeSchema = z
  .discriminatedUnion('type', [
    /** `text` is the agent's last message: its answer. */
    z.object({ type: z.literal('done'), text: z.string() }),
    z.object({ type: z.literal('failed'), reason: z.string() }),
    z.object({ type: z.literal('refused'), reason: z.string() }),
    z.object({
      type: z.literal('limited'),
      reason: z.string(),
      resetsAt: z.string().optional(),
      resetsInMs: z.number().optional(),
    }),
    /** The program can't work until a person does what `remedy` says. */
    z.object({
      type: z.literal('unready'),
      cause: z.enum(['login', 'network', 'version']),
      reason: z.string(),
      remedy: z.string(),
    }),
    z.object({ type: z.literal('interrupted') }),
  ])
  .meta({ id: 'TurnOutcome' })

export type WireTurnOutcome = z.infer<typeof turnOutcomeSchema>

/** How a session ended. */
export const sessionEndSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('exited'), code: z.number() }),
    z.object({ type: z.literal('signalled'), signal: z.number() }),
    z.object({ type: z.literal('finished'), turn: turnOutcomeSchema }),
    z.object({ type: z.literal('handed-over'), to: z.string(), reason: z.string() }),
    z.object({ type: z.literal('timed-out'), afterMs: z.number() }),
    z.object({ type: z.literal('cancelled'), reason: z.string().optional() }),
    /** `tree`: its working tree could not be made. */
    z.object({ type: z.literal('unstarted'), reason: z.string(), part: z.literal('tree').optional() }),
    z.object({ type: z.literal('unprepared'), command: z.string(), code: z.number() }),
    z.object({ type: z.literal('lost'), reason: z.string() }),
  ])
  .meta({ id: 'SessionEnd' })

/** The same as a single word, for statistics. */
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
