import { z } from 'zod'
import { instantSchema } from '../instant.ts'

/** Readonly, as in the domain. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** The fields every event has beside its type and data. */
export const eventEnvelopeShape = {
  seq: z.number(),
  jobId: z.string().optional(),
  cycle: z.number().optional(),
  taskId: z.string().optional(),
  attemptId: z.string().optional(),
  sessionId: z.string().optional(),
  at: instantSchema,
}

/** The schema of one event type. */
export function eventSchema<const Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  const name = type.replaceAll(/(?:^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase())
  return z.object({ ...eventEnvelopeShape, type: z.literal(type), data }).meta({ id: `${name}Event` })
}
