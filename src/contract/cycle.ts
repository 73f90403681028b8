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
    /** What agents reported they learnt, one line each. */
    learnings: z.string().optional(),
    /** What the planner reported as blocking the work. */
    blockers: z.array(z.string()).readonly(),
    version: z.number(),
    startedAt: instantSchema,
    completedAt: instantSchema.optional(),
  })
  .meta({ id: 'Cycle' })

/** `agentSessionId`: the session of the task's newest attempt; absent before the first. */
export const cycleTaskSchema = z
  .object({ ...taskSchema.shape, agentSessionId: z.string().optional() })
  .meta({ id: 'CycleTask' })

export const cycleDetailSchema = z
  .object({
    ...cycleSchema.shape,
    /** The session of the planner that listed the tasks; absent before the discovery starts. */
    agentSessionId: z.string().optional(),
    tasks: z.array(cycleTaskSchema),
  })
  .meta({ id: 'CycleDetail' })

export type WireCycle = z.infer<typeof cycleSchema>
export type WireCycleDetail = z.infer<typeof cycleDetailSchema>
