import { z } from 'zod'

export const DEFAULT_PAGE_LIMIT = 50
const MAX_PAGE_LIMIT = 200

export const limitSchema = z.coerce.number().int().min(1).max(MAX_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT)

export const cursorSchema = z
  .string()
  .regex(/^[\w.:-]{1,64}$/, 'is not a cursor that a list gave')
  .optional()

export const pageQuerySchema = z.object({ limit: limitSchema, cursor: cursorSchema })
