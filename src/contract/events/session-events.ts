import { z } from 'zod'
import { containmentSchema, sessionModeSchema, suspensionSchema, usageSchema } from '../session.ts'
import { endingSchema, sessionEndSchema } from '../session-end.ts'
import { startWaitSchema } from '../waiting.ts'
import { eventSchema, list } from './event-schema.ts'

const programStart = z.object({
  role: z.string(),
  agent: z.string(),
  provider: z.string(),
  mode: sessionModeSchema,
  life: z.number(),
  pid: z.number(),
  containment: containmentSchema,
})

export const sessionEvents = [
  eventSchema(
    'session_waiting',
    startWaitSchema.omit({ since: true }).extend({ role: z.string(), agent: z.string() }),
  ),
  eventSchema('session_started', programStart),
  eventSchema('session_resumed', programStart),
  eventSchema(
    'session_suspended',
    suspensionSchema.pick({ why: true, reason: true, until: true }).extend({
      role: z.string(),
      agent: z.string(),
    }),
  ),
  eventSchema(
    'session_ended',
    z.object({
      role: z.string(),
      end: sessionEndSchema,
      ending: endingSchema,
      usage: usageSchema,
      truncated: list(z.string()).optional(),
    }),
  ),
] as const
