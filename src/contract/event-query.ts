import { z } from 'zod'
import { LIST_LIMITS } from '../domain/limits/list-limits.ts'

const idSchema = z.string().regex(/^\w{1,64}$/, 'is not an id')

const placeSchema = z.object({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(LIST_LIMITS.mostEvents).default(LIST_LIMITS.events),
  tail: z.coerce.number().int().min(1).max(LIST_LIMITS.mostEvents).optional(),
})

const isOnePlace = (query: z.output<typeof placeSchema>) =>
  query.after === undefined || query.tail === undefined
const TWO_PLACES = { message: 'cannot be combined with after', path: ['tail'] }

/** Which events: a page after a place, or the last so many. */
export const eventPageQuerySchema = placeSchema.refine(isOnePlace, TWO_PLACES)

/** The same of a job, or of a part of it. */
export const eventQuerySchema = placeSchema
  .extend({ task: idSchema.optional(), session: idSchema.optional() })
  .refine(isOnePlace, TWO_PLACES)
