import { z } from 'zod'
import { attemptSchema, criterionSchema } from './attempt.ts'
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
    /** Tasks it waits for, whatever their outcome, because they change the same files. */
    after: z.array(z.number()),
    /** Numbers of the goal's clauses that it serves, starting at 1. */
    clauses: z.array(z.number()),
    origin: z.union([
      z.object({ type: z.literal('planned') }),
      /** The goal of a job without a planner. */
      z.object({ type: z.literal('given') }),
      z.object({
        type: z.literal('conflict'),
        taskId: z.string(),
        tip: z.string(),
        paths: z.array(z.string()),
      }),
      /** Makes the base pass. `isSetup`: a setup command fails. */
      z.object({ type: z.literal('base'), isSetup: z.boolean() }),
    ]),
    agent: z.string().optional(),
    /** The playbook that works on it, instead of an agent. */
    playbook: z.string().optional(),
    branch: z.string(),
    status: taskStatusSchema,
    /** The limit that keeps it from starting, if it is pending for no other reason. */
    waiting: startWaitSchema.optional(),
    /** The attempt, while running. */
    attemptId: z.string().optional(),
    /** The run of a playbook that works on it. */
    runId: z.string().optional(),
    /** The entry in the merge queue, while landing. */
    landingId: z.string().optional(),
    /** The commit that landed, once completed. */
    commit: z.string().optional(),
    /** Why it failed, is blocked or was skipped. */
    reason: z.string().optional(),
    /** What a person can do about it. */
    suggestion: z.string().optional(),
    /** It failed because a person denied its work, so the job is complete without it. */
    isDenied: z.boolean().optional(),
    conflictPaths: z.array(z.string()).optional(),
    retryCount: z.number(),
    /** How often a reviewer has requested changes. */
    rounds: z.number(),
    criteria: z.array(criterionSchema),
    /** Why the latest attempt was not accepted. */
    errorMessage: z.string().optional(),
    resultSummary: z.string().optional(),
    /** How much its work changes, counted in full. */
    changes: z
      .object({
        files: z.number(),
        added: z.number(),
        removed: z.number(),
        /** Why a person must see the work before it lands; empty for ordinary work. */
        unusual: z.array(z.string()),
        /** What could not be collected from its agent's working tree. */
        omissions: z.array(z.string()).optional(),
      })
      .optional(),
    filesModified: z.array(z.string()),
    commitsMade: z.array(z.string()),
    version: z.number(),
    createdAt: instantSchema,
    startedAt: instantSchema.optional(),
    completedAt: instantSchema.optional(),
  })
  .meta({ id: 'Task' })

/** A task with all of its attempts and merge queue entries. */
export const taskDetailSchema = z
  .object({ ...taskSchema.shape, attempts: z.array(attemptSchema), landings: z.array(landingSchema) })
  .meta({ id: 'TaskDetail' })

export type WireTaskStatus = z.infer<typeof taskStatusSchema>
export type WireTask = z.infer<typeof taskSchema>
export type WireTaskDetail = z.infer<typeof taskDetailSchema>
