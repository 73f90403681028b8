import { z } from 'zod'
import { START_LIMITS } from '../domain/admission/limit-order.ts'
import { instantSchema } from './instant.ts'

/**
 * The limit that keeps a program from starting: its value, and how much of it is in use. For memory: how many MB must be
 * free, and how many of those are in use.
 */
export const startWaitSchema = z
  .object({
    limit: z.enum(START_LIMITS),
    value: z.number(),
    inUse: z.number(),
    since: instantSchema,
    /** When the limit is lifted, if known. */
    until: instantSchema.optional(),
    /** The same as one line of text. */
    reason: z.string(),
  })
  .meta({ id: 'StartWait' })

export type WireStartWait = z.infer<typeof startWaitSchema>

/** Something that continues when a person acts, at a certain time, or when capacity is free again. */
export const waitingSchema = z.object({
  /** The id of the waiting job, session, approval or question. */
  id: z.string(),
  /** What it is waiting for. */
  waitsFor: z.enum(['person', 'quota', 'network', 'money', 'capacity']).default('person'),
  jobId: z.string().optional(),
  why: z.string(),
  /** When it continues or expires by itself. */
  until: instantSchema.optional(),
  next: z.string(),
})

export type WireWaiting = z.infer<typeof waitingSchema>
