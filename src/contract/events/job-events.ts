import { z } from 'zod'
import { startWaitSchema } from '../waiting.ts'
import { eventSchema, list } from './event-schema.ts'

const cycle = z.object({ cycle: z.number() })

export const jobEvents = [
  eventSchema(
    'job_started',
    cycle.extend({ workingBranch: z.string(), warnings: list(z.string()).optional() }),
  ),
  eventSchema('job_waiting', startWaitSchema.omit({ since: true }).extend({ role: z.string() })),
  eventSchema('job_paused', cycle),
  eventSchema('job_resumed', cycle),
  eventSchema(
    'job_completed',
    z.object({
      cycles: z.number(),
      totalTasks: z.number(),
      /** Tasks that failed or are blocked, and whose work no later task merged. */
      unlanded: z.number().optional(),
      summary: z.string(),
      reason: z.enum([
        'goal-reached',
        'nothing-left',
        'max-cycles-reached',
        'time-limit-reached',
        'budget-reached',
        'no-progress',
        'goal-doubted',
        'task-completed',
        'task-blocked',
        'task-failed',
      ]),
      evidence: list(z.string()),
    }),
  ),
  eventSchema('job_cancelled', z.object({ reason: z.string().optional() })),
  eventSchema('job_error', z.object({ error: z.string() })),
  eventSchema('job_deleted', z.object({ workingBranch: z.string() })),
] as const
