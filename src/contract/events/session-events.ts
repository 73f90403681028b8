import { z } from 'zod'
import {
  containmentSchema,
  sessionModeSchema,
  suspensionSchema,
  undeliveredSchema,
  usageSchema,
} from '../session.ts'
import { endingSchema, sessionEndSchema } from '../session-end.ts'
import { startWaitSchema } from '../waiting.ts'
import { eventSchema, list } from './event-schema.ts'

const programStart = z.object({
  role: z.string(),
  agent: z.string(),
  provider: z.string(),
  mode: sessionModeSchema,
  processNumber: z.number(),
  pid: z.number(),
  containment: containmentSchema,
})

const delivery = z.object({ role: z.string(), agent: z.string(), branch: z.string(), commit: z.string() })

export const sessionEvents = [
  eventSchema(
    'session_waiting',
    startWaitSchema.omit({ since: true }).extend({ role: z.string(), agent: z.string() }),
  ),
  // Without a process if the session ended before its program could be started.
  eventSchema('session_started', programStart.partial({ pid: true, containment: true })),
  eventSchema('session_resumed', programStart),
  eventSchema('session_prompted', z.object({ role: z.string(), agent: z.string(), text: z.string() })),
  eventSchema(
    'session_suspended',
    suspensionSchema.pick({ why: true, reason: true, remedy: true, until: true }).extend({
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
  eventSchema('session_delivered', delivery),
  eventSchema(
    'session_undelivered',
    undeliveredSchema.omit({ type: true }).extend({ ...delivery.shape, why: undeliveredSchema.shape.type }),
  ),
] as const
