import { z } from 'zod'
import { LIST_LIMITS } from '../domain/limits/list-limits.ts'

export const limitSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(LIST_LIMITS.mostOfPage)
  .default(LIST_LIMITS.page)

export const cursorSchema = z
  .string()
  .regex(/^[\w.:-]{1,64}$/, 'is not a valid cursor')
  .optional()

export const pageQuerySchema = z.object({ limit: limitSchema, cursor: cursorSchema })

const idSchema = z.string().regex(/^\w{1,64}$/, 'is not a valid id')

const pagingSchema = z.object({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(LIST_LIMITS.mostEvents).default(LIST_LIMITS.events),
  tail: z.coerce.number().int().min(1).max(LIST_LIMITS.mostEvents).optional(),
})

const hasOneStart = (query: z.output<typeof pagingSchema>) =>
  query.after === undefined || query.tail === undefined
const TWO_STARTS = { message: 'cannot be combined with after', path: ['tail'] }

/** A page of events after `after`, or the last `tail` events. */
export const eventPageQuerySchema = pagingSchema.refine(hasOneStart, TWO_STARTS)

/** The same for a job, optionally narrowed to one task or session. */
export const eventQuerySchema = pagingSchema
  .extend({ task: idSchema.optional(), session: idSchema.optional() })
  .refine(hasOneStart, TWO_STARTS)
