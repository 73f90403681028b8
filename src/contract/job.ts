import { z } from 'zod'
import { agentSchema, passedOverSchema } from './agent.ts'
import { baseStatusSchema, failingBaseSchema } from './base.ts'
import { instantSchema } from './instant.ts'
import { jobDocumentSchema } from './job-document.ts'
import { pageQuerySchema } from './page-query.ts'
import { waitingSchema } from './waiting.ts'

export const jobStatusSchema = z.enum(['pending', 'running', 'paused', 'completed', 'cancelled', 'error'])

/** Who decides after the checks, before a commit lands: the checks alone, a reviewer, or a person. */
export const landingModeSchema = z.enum(['auto', 'review', 'approve'])

export const jobLimitsSchema = z.object({
  maxCycles: z.number().optional(),
  timeLimitMinutes: z.number().optional(),
  maxParallelTasks: z.number(),
  /** Concurrent sessions of the project, across its jobs. */
  projectParallel: z.number().optional(),
  /** Concurrent sessions per model, across all jobs. */
  modelParallel: z.record(z.string(), z.number()).optional(),
  attemptMinutes: z.number(),
  maxAttempts: z.number(),
  budgetUsd: z.number().optional(),
  /** What all jobs together may spend in a day. */
  dailyUsd: z.number().optional(),
  memoryFloorMb: z.number().optional(),
})

/** A job in a list: without its documents, which can be large. */
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
    /** Where the base branch is now, and why that commit could not be merged yet. */
    movedBase: z.object({ commit: z.string(), problem: z.string() }).optional(),
    /** What is known of the base, and what was decided about it. */
    baseStatus: baseStatusSchema.optional(),
    /** First line of the goal. */
    title: z.string(),
    status: jobStatusSchema,
    /** A pause was requested and takes effect at the end of the phase. */
    pausing: z.boolean(),
    /** Why a completed or cancelled job ended, or what went wrong. */
    reason: z.string().optional(),
    currentCycle: z.number(),
    activeMs: z.number(),
    runningSince: instantSchema.optional(),
    /** The last budget notice that was sent. */
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
    /** The goal that is in force. */
    requestDocument: z.string(),
    /** TASKLIST.md as last written. */
    taskList: z.string(),
    /** The requested tasks that are in force. */
    requestedTasks: z.string(),
    /** Newer versions of the two documents, for the next cycle to apply. */
    waitingDocuments: z.array(jobDocumentSchema.omit({ cycle: true })),
    /** What the job is waiting for: a person, quota or money. */
    waiting: z.array(waitingSchema).optional(),
    /** What its sessions have cost, as far as their programs report it. */
    spentUsd: z.number(),
    evidence: z.array(z.string()),
    agents: z.array(agentSchema),
    worker: z.string(),
    /** The agents bound to do tasks, if there are several. */
    workers: z.array(z.string()).readonly().optional(),
    /** Absent if the job has no planner: its goal is its only task. */
    planner: z.string().optional(),
    reviewer: z.string().optional(),
    /** The playbook that works on the goal, and who takes each of its roles, first choice first. */
    playbook: z
      .object({
        name: z.string(),
        hash: z.string(),
        /** Absent if it came with Muster. */
        from: z.enum(['repository', 'person', 'request']).optional(),
        inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
        cast: z.record(z.string(), z.array(z.string()).readonly()),
        /** What to know about the cast, such as a reviewer of the developer's model family; absent if there is nothing. */
        notes: z.array(z.string()).readonly().optional(),
      })
      .optional(),
    /** The playbook that works on each of the planner's tasks that names no other. */
    taskPlaybook: z
      .object({
        name: z.string(),
        hash: z.string(),
        /** Absent if it came with Muster. */
        from: z.enum(['repository', 'person', 'request']).optional(),
        inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      })
      .optional(),
    passedOver: passedOverSchema.optional(),
    mode: landingModeSchema,
    failingBase: failingBaseSchema.optional(),
    /** The uncommitted changes that the job started from: `baseCommit` has them, on top of `head`. */
    snapshot: z
      .object({ head: z.string(), fileCount: z.number(), files: z.array(z.string()).readonly() })
      .optional(),
    checks: z.array(z.string()),
    limits: jobLimitsSchema,
  })
  .meta({ id: 'Job' })

export type WireJobStatus = z.infer<typeof jobStatusSchema>
export type WireJobSummary = z.infer<typeof jobSummarySchema>
export type WireJob = z.infer<typeof jobSchema>

export const jobQuerySchema = pageQuerySchema.extend({
  user: z.string().min(1).max(200).optional(),
  status: jobStatusSchema.optional(),
})
