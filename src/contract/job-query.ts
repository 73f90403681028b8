import { z } from 'zod'
import { jobStatusSchema } from './job.ts'
import { pageQuerySchema } from './page-query.ts'

/** Which jobs a list shows; all of them unless asked otherwise. */
export const jobQuerySchema = pageQuerySchema.extend({
  user: z.string().min(1).max(200).optional(),
  status: jobStatusSchema.optional(),
})
