import { z } from 'zod'
import { attemptSchema } from './attempt.ts'
import { instantSchema } from './instant.ts'
import { landingSchema } from './landing.ts'
import { startWaitSchema } from './waiting.ts'

export const taskStatusSchema = z.enum([
  'pending',
  'running',
  'review',
  'landing',
  'completed',
  'failed',
  'blocked',
  'skipped',
])

export const taskSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    cycleId: z.string(),
    cycleNumber: z.number(),
    number: z.number(),
    description: z.string(),
    context: z.string(),
    files: z.array(z.string()),
    parallel: z.boolean(),
    priority: z.enum(['P0', 'P1', 'P2']),
    successCriteria: z.array(z.string()),
    dependsOn: z.array(z.number()),
    /** Tasks it waits for because they change the same files, however they end. */
    after: z.array(z.number()),
    /** Numbers of the clauses of the goal that it serves, from 1. */
    clauses: z.array(z.number()),
    origin: z.union([
      z.object({ type: z.literal('planned') }),
      z.object({
        type: z.literal('conflict'),
        taskId: z.string(),
        tip: z.string(),
        paths: z.array(z.string()),
      }),
    ]),
    agent: z.string().optional(),
    branch: z.string(),
    status: taskStatusSchema,
    /** Which limit keeps it from starting, while it is pending and nothing else does. */
    waiting: startWaitSchema.optional(),
    /** The attempt that runs, while running. */
    attemptId: z.string().optional(),
    /** The place in the merge queue, while landing. */
    landingId: z.string().optional(),
    /** Where it landed, once completed. */
    commit: z.string().optional(),
    /** Why it failed, is blocked or was skipped. */
    reason: z.string().optional(),
    /** What a person may do about it. */
    suggestion: z.string().optional(),
    conflictPaths: z.array(z.string()).optional(),
    retryCount: z.number(),
    /** How often a reviewer has sent it back. */
    rounds: z.number(),
    startFrom: z.string().optional(),
    criteria: z.array(
      z.object({
        number: z.number(),
        isMet: z.boolean(),
        evidence: z.string(),
        by: z.enum(['worker', 'reviewer']),
      }),
    ),
    /** Why the latest attempt did not do. */
    errorMessage: z.string().optional(),
    resultSummary: z.string().optional(),
    filesModified: z.array(z.string()),
    commitsMade: z.array(z.string()),
    version: z.number(),
    createdAt: instantSchema,
    startedAt: instantSchema.optional(),
    completedAt: instantSchema.optional(),
  })
  .meta({ id: 'Task' })

/** A task whole: with every try at it and every entry it had in the merge queue. */
export const taskDetailSchema = z
  .object({ ...taskSchema.shape, attempts: z.array(attemptSchema), landings: z.array(landingSchema) })
  .meta({ id: 'TaskDetail' })

export type WireTaskStatus = z.infer<typeof taskStatusSchema>
export type WireTask = z.infer<typeof taskSchema>
export type WireTaskDetail = z.infer<typeof taskDetailSchema>
