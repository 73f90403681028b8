import { z } from 'zod'
import { agentSchema } from './agent.ts'
import { instantSchema } from './instant.ts'

export const jobStatusSchema = z.enum(['pending', 'running', 'paused', 'completed', 'cancelled', 'error'])

export const jobLimitsSchema = z.object({
  maxCycles: z.number().optional(),
  timeLimitMinutes: z.number().optional(),
  maxParallelTasks: z.number(),
  attemptMinutes: z.number(),
  maxAttempts: z.number(),
})

/** A job as lists show it: without the documents, which may be large. */
export const jobSummarySchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    userId: z.string(),
    repositoryPath: z.string(),
    repositoryName: z.string(),
    baseBranch: z.string(),
    baseCommit: z.string(),
    workingBranch: z.string(),
    /** First line of the goal. */
    title: z.string(),
    status: jobStatusSchema,
    /** A pause was asked for and the phase is being finished. */
    pausing: z.boolean(),
    /** Why a completed or cancelled job ended, or what went wrong. */
    reason: z.string().optional(),
    currentCycle: z.number(),
    activeMs: z.number(),
    runningSince: instantSchema.optional(),
    summary: z.string().optional(),
    lastError: z.string().optional(),
    errorCount: z.number(),
    version: z.number(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
    startedAt: instantSchema.optional(),
    completedAt: instantSchema.optional(),
  })
  .meta({ id: 'JobSummary' })

export const jobSchema = z
  .object({
    ...jobSummarySchema.shape,
    requestDocument: z.string(),
    taskList: z.string(),
    evidence: z.array(z.string()),
    agents: z.array(agentSchema),
    worker: z.string(),
    planner: z.string(),
    checks: z.array(z.string()),
    limits: jobLimitsSchema,
  })
  .meta({ id: 'Job' })

export type WireJobStatus = z.infer<typeof jobStatusSchema>
export type WireJobSummary = z.infer<typeof jobSummarySchema>
export type WireJob = z.infer<typeof jobSchema>
