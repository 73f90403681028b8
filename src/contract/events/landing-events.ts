import { z } from 'zod'
import { eventSchema, list } from './event-schema.ts'

const ofTask = z.object({ number: z.number(), landingId: z.string() })
const ofCandidate = ofTask.extend({ candidateId: z.string(), commit: z.string(), together: z.number() })

export const landingEvents = [
  eventSchema(
    'landing_queued',
    ofTask.extend({ omissions: list(z.string()).optional(), again: z.string().optional() }),
  ),
  eventSchema(
    'landing_checking',
    ofCandidate.extend({
      check: z.string(),
      checks: z.number().optional(),
      again: z.enum(['failed', 'lost']).optional(),
    }),
  ),
  eventSchema(
    'landing_checked',
    ofCandidate.extend({
      passed: z.number(),
      flaky: list(z.string()).optional(),
      tolerated: list(z.string()).optional(),
      warning: z.string().optional(),
    }),
  ),
  eventSchema(
    'landing_landed',
    ofCandidate.partial().extend({
      commit: z.string(),
      tree: z.string().optional(),
      checks: z.number().optional(),
      isContained: z.boolean().optional(),
      base: z.string().optional(),
    }),
  ),
  eventSchema('landing_conflicted', ofTask.extend({ paths: list(z.string()) })),
  eventSchema(
    'landing_rejected',
    ofTask.partial().extend({
      reason: z.string(),
      check: z.string().optional(),
      base: z.string().optional(),
      commit: z.string().optional(),
    }),
  ),
] as const
