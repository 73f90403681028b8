import { z } from 'zod'
import { eventSchema, list } from './event-schema.ts'

const ofBase = z.object({ branch: z.string(), commit: z.string() })

export const baseEvents = [
  eventSchema(
    'base_checking',
    ofBase.extend({ checks: list(z.string()), setup: list(z.string()), isShared: z.boolean().optional() }),
  ),
  eventSchema(
    'base_checked',
    ofBase.extend({
      outcome: z.enum(['passed', 'failed', 'unknown']),
      isKnown: z.boolean().optional(),
      failures: list(
        z
          .object({
            command: z.string(),
            isSetup: z.boolean(),
            isAltered: z.literal(true).exactOptional(),
            detail: z.string(),
          })
          .readonly(),
      ).optional(),
      reason: z.string().optional(),
      isAsking: z.boolean().optional(),
    }),
  ),
  eventSchema(
    'base_decided',
    ofBase.extend({
      decision: z.enum(['continue', 'fix']),
      isAutomatic: z.boolean().optional(),
      commands: list(z.string()),
    }),
  ),
  eventSchema('base_fix_ended', ofBase.extend({ landed: z.boolean(), isSetup: z.boolean().optional() })),
] as const
