import { z } from 'zod'
import { START_LIMITS } from '../domain/admission/refusal.ts'
import { instantSchema } from './instant.ts'

/** The limit that keeps a program from starting: what it allows, and how much of it is in use. */
export const startWaitSchema = z
  .object({
    limit: z.enum(START_LIMITS),
    value: z.number(),
    inUse: z.number(),
    since: instantSchema,
    /** When the limit no longer holds, if that is known. */
    until: instantSchema.optional(),
    /** The same as one line. */
    reason: z.string(),
  })
  .meta({ id: 'StartWait' })

export type WireStartWait = z.infer<typeof startWaitSchema>

/** Something that continues when a person acts, when its time has come, or when capacity is free again. */
export const waitingSchema = z.object({
  /** What waits: a job, a session, an approval or a question. */
  id: z.string(),
  /** Who or what it waits for. */
  waitsFor: z.enum(['person', 'quota', 'money', 'capacity']).default('person'),
  jobId: z.string().optional(),
  why: z.string(),
  /** When it goes on, or is over, without anybody. */
  until: instantSchema.optional(),
  next: z.string(),
})

export type WireWaiting = z.infer<typeof waitingSchema>
