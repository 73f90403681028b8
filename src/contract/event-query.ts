import { z } from 'zod'

const MAX_EVENT_PAGE = 1000

const idSchema = z.string().regex(/^\w{1,64}$/, 'is not an id')

/** Which events of a job: a page after a place, or the last so many. */
export const eventQuerySchema = z
  .object({
    after: z.coerce.number().int().min(0).optional(),
    limit: z.coerce.number().int().min(1).max(MAX_EVENT_PAGE).default(200),
    task: idSchema.optional(),
    session: idSchema.optional(),
    tail: z.coerce.number().int().min(1).max(MAX_EVENT_PAGE).optional(),
  })
  .refine((query) => query.after === undefined || query.tail === undefined, {
    message: 'cannot be combined with after',
    path: ['tail'],
  })
