import { z } from 'zod'
import { pageQuerySchema } from './page-query.ts'
import { sessionStatusSchema } from './session.ts'

const nameSchema = z.string().min(1).max(200)

/** Which sessions. `live` is every status but terminated. */
export const sessionQuerySchema = pageQuerySchema.extend({
  job: z.string().max(64).optional(),
  agent: nameSchema.optional(),
  role: nameSchema.optional(),
  status: z.enum([...sessionStatusSchema.options, 'live']).optional(),
  purpose: z.enum(['attempt', 'check', 'personal', 'query']).optional(),
  resumable: z.enum(['true']).optional(),
})
