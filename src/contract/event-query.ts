import { z } from 'zod'

const MAX_EVENT_PAGE = 1000

const idSchema = z.string().regex(/^\w{1,64}$/, 'is not an id')

const placeSchema = z.object({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_EVENT_PAGE).default(200),
  tail: z.coerce.number().int().min(1).max(MAX_EVENT_PAGE).optional(),
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
