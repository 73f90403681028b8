import { z } from 'zod'
import { instantSchema } from './instant.ts'

/** Something that goes on when a person does something, or, for want of quota or money, when its time has come. */
export const waitingSchema = z.object({
  /** What waits: a job, a session, an approval or a question. */
  id: z.string(),
  /** Who or what it waits for. */
  waitsFor: z.enum(['person', 'quota', 'money']).default('person'),
  jobId: z.string().optional(),
  why: z.string(),
  /** When it goes on, or is over, without anybody. */
  until: instantSchema.optional(),
  next: z.string(),
})

export type WireWaiting = z.infer<typeof waitingSchema>
