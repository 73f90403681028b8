import { z } from 'zod'
import { handoffSchema } from '../attempt.ts'
import { taskStatusSchema } from '../task.ts'
import { startWaitSchema } from '../waiting.ts'
import { eventSchema, list } from './event-schema.ts'

export const taskEvents = [
  eventSchema('task_waiting', startWaitSchema.omit({ since: true }).extend({ number: z.number() })),
  eventSchema(
    'task_started',
    z.object({
      number: z.number(),
      description: z.string(),
      agent: z.string(),
      attempt: z.number(),
      agentSessionId: z.string(),
    }),
  ),
  eventSchema(
    'task_progress',
    z.object({
      message: z.string(),
      number: z.number().optional(),
      source: z.enum(['agent', 'check']).optional(),
      percent: z.number().optional(),
      handoff: handoffSchema.optional(),
      nextSessionId: z.string().optional(),
    }),
  ),
  eventSchema(
    'task_completed',
    z.object({
      number: z.number(),
      landingId: z.string(),
      commit: z.string(),
      summary: z.string().optional(),
      changes: z.object({ files: z.number(), added: z.number(), removed: z.number() }).optional(),
      filesModified: list(z.string()),
    }),
  ),
  eventSchema(
    'task_failed',
    z.object({
      number: z.number(),
      status: taskStatusSchema,
      error: z.string(),
      suggestion: z.string().optional(),
      paths: list(z.string()).optional(),
      landingId: z.string().optional(),
    }),
  ),
] as const
