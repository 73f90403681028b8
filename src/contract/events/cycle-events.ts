import { z } from 'zod'
import { cycleSchema } from '../cycle.ts'
import { taskSchema } from '../task.ts'
import { eventSchema, list } from './event-schema.ts'

const { phase } = cycleSchema.shape
const { id, number, description, priority } = taskSchema.shape

export const cycleEvents = [
  eventSchema('cycle_started', z.object({ phase })),
  eventSchema('cycle_phase', z.object({ phase, problem: z.string().optional(), try: z.number().optional() })),
  eventSchema(
    'cycle_tasks_discovered',
    z.object({
      tasks: list(
        z.object({
          id,
          number,
          description,
          priority,
          dependsOn: list(z.number()),
          after: list(z.number()),
          clauses: list(z.number()),
          files: list(z.string()),
          successCriteria: list(z.string()),
          merges: z.string().optional(),
          playbook: z.string().optional(),
        }),
      ),
      reasoning: z.string(),
      blockers: list(z.string()),
      repeats: list(z.object({ number: z.number(), description: z.string(), of: z.string() })),
      coupled: list(z.tuple([z.number(), z.number()]).readonly()),
      yields: list(z.object({ cycle: z.number(), discovered: z.number(), landed: z.number() })),
      notes: list(z.string()).optional(),
    }),
  ),
  eventSchema(
    'cycle_completed',
    z.object({
      summary: z.string(),
      tasksCompleted: z.number(),
      tasksFailed: z.number(),
      problem: z.string().optional(),
    }),
  ),
] as const
