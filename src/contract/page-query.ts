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
  .regex(/^[\w.:-]{1,64}$/, 'is not a cursor that a list gave')
  .optional()

export const pageQuerySchema = z.object({ limit: limitSchema, cursor: cursorSchema })
