import { z } from 'zod'
import { instantSchema } from '../instant.ts'

/** A list as the domain has it: nobody changes what was received. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** Where and when something happened: what every event has beside its type and data. */
export const eventPlaceShape = {
  seq: z.number(),
  jobId: z.string().optional(),
  cycle: z.number().optional(),
  taskId: z.string().optional(),
  attemptId: z.string().optional(),
  sessionId: z.string().optional(),
  at: instantSchema,
}

/** One type of event: its place and its data. */
export function eventSchema<const Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  const name = type.replaceAll(/(?:^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase())
  return z.object({ ...eventPlaceShape, type: z.literal(type), data }).meta({ id: `${name}Event` })
}
