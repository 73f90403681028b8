import { z } from 'zod'
import { agentSchema } from './agent.ts'
import { instantSchema } from './instant.ts'
import { waitingSchema } from './waiting.ts'

export const jobStatusSchema = z.enum(['pending', 'running', 'paused', 'completed', 'cancelled', 'error'])

/** Who has a say before something lands, after the checks. */
export const landingModeSchema = z.enum(['auto', 'review', 'approve'])

export const jobLimitsSchema = z.object({
  maxCycles: z.number().optional(),
  timeLimitMinutes: z.number().optional(),
  maxParallelTasks: z.number(),
  /** Sessions of the project at once, over all its jobs. */
  projectParallel: z.number().optional(),
  /** Sessions of a model at once, over all jobs. */
  modelParallel: z.record(z.string(), z.number()).optional(),
  attemptMinutes: z.number(),
  maxAttempts: z.number(),
  budgetUsd: z.number().optional(),
  /** What all jobs together may cost in a day. */
  dailyUsd: z.number().optional(),
  memoryFloorMb: z.number().optional(),
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
    /** Where the base branch has moved to, while that cannot be brought in, and why. */
    movedBase: z.object({ commit: z.string(), problem: z.string() }).optional(),
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
    /** What was last said about its budget. */
    budgetNotice: z.enum(['warned', 'reached']).optional(),
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
    /** The goal in force. */
    requestDocument: z.string(),
    /** TASKLIST.md as it was last written. */
    taskList: z.string(),
    /** What the person wants done, in force like the goal. */
    wantedTasks: z.string(),
    /** Newer versions of the two that the next cycle takes up. */
    waitingDocuments: z.array(
      z.object({
        kind: z.enum(['goal', 'task-list']),
        number: z.number(),
        author: z.enum(['person', 'engine']),
        createdAt: instantSchema,
        text: z.string(),
      }),
    ),
    /** What of it waits for a person, for quota or for money. */
    waiting: z.array(waitingSchema).optional(),
    /** What its sessions cost so far, as far as their programs tell. */
    spentUsd: z.number(),
    evidence: z.array(z.string()),
    agents: z.array(agentSchema),
    worker: z.string(),
    planner: z.string(),
    reviewer: z.string().optional(),
    mode: landingModeSchema,
    checks: z.array(z.string()),
    limits: jobLimitsSchema,
  })
  .meta({ id: 'Job' })

export type WireJobStatus = z.infer<typeof jobStatusSchema>
export type WireJobSummary = z.infer<typeof jobSummarySchema>
export type WireJob = z.infer<typeof jobSchema>
