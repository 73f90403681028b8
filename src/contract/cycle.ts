import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { taskSchema } from './task.ts'

export const cycleSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    number: z.number(),
    phase: z.enum(['discovery', 'execution', 'convergence', 'update', 'done']),
    tasksDiscovered: z.number(),
    tasksLaunched: z.number(),
    tasksCompleted: z.number(),
    tasksFailed: z.number(),
    summary: z.string().optional(),
    /** What agents said they learnt, one line each. */
    learnings: z.string().optional(),
    /** What the planner said is in the way. */
    blockers: z.array(z.string()).readonly(),
    version: z.number(),
    startedAt: instantSchema,
    completedAt: instantSchema.optional(),
  })
  .meta({ id: 'Cycle' })

export const cycleDetailSchema = z
  .object({ ...cycleSchema.shape, tasks: z.array(taskSchema) })
  .meta({ id: 'CycleDetail' })

export type WireCycle = z.infer<typeof cycleSchema>
export type WireCycleDetail = z.infer<typeof cycleDetailSchema>
