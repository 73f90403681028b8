import { z } from 'zod'
import { instantSchema } from '../instant.ts'
import { eventSchema } from './event-schema.ts'

const meanUsd = z.record(z.string(), z.number()).readonly()
const spending = z.object({ budgetUsd: z.number(), spentUsd: z.number() })

export const budgetEvents = [
  eventSchema('budget_warned', spending.extend({ meanUsd })),
  eventSchema(
    'budget_reached',
    spending.extend({
      meanUsd: meanUsd.optional(),
      role: z.string().optional(),
      day: z.boolean().optional(),
      until: instantSchema.optional(),
    }),
  ),
] as const
