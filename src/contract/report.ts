import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { jobStatusSchema } from './job.ts'
import { checkResultSchema } from './landing.ts'
import { taskStatusSchema } from './task.ts'

const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

export const reportCostSchema = z
  .object({
    costUsd: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** Sessions whose program told no price; what they cost is in no sum. */
    unpriced: z.number(),
    unpricedSessions: list(z.string()),
  })
  .meta({ id: 'ReportCost' })

const reportAttemptSchema = z
  .object({
    id: z.string(),
    role: z.string(),
    number: z.number(),
    agent: z.string(),
    provider: z.string(),
    model: z.string().optional(),
    outcome: z.enum(['accepted', 'rejected', 'cancelled', 'preparing', 'running', 'ended']),
    /** What a reviewer decided. */
    verdict: z.enum(['approved', 'needs-revision', 'rejected']).optional(),
    reason: z.string().optional(),
    tip: z.string().optional(),
    durationMs: z.number(),
    cost: reportCostSchema,
  })
  .meta({ id: 'ReportAttempt' })

const reportLandingSchema = z
  .object({
    id: z.string(),
    attemptId: z.string(),
    status: z.enum(['queued', 'checking', 'landed', 'conflicted', 'rejected']),
    candidateId: z.string().optional(),
    /** Tasks that were merged into the same commit and checked with it. */
    mates: list(z.string()),
    commit: z.string().optional(),
    tree: z.string().optional(),
    isContained: z.boolean(),
    reason: z.string().optional(),
    conflictPaths: list(z.string()),
    checks: list(checkResultSchema),
    /** Git was asked again: the tree of the commit is the one that every check ran on. */
    verified: z.boolean().optional(),
  })
  .meta({ id: 'ReportLanding' })

const reportTaskSchema = z
  .object({
    id: z.string(),
    cycleNumber: z.number(),
    number: z.number(),
    description: z.string(),
    priority: z.enum(['P0', 'P1', 'P2']),
    status: taskStatusSchema,
    origin: z.enum(['planned', 'conflict']),
    clauses: list(z.number()),
    reason: z.string().optional(),
    suggestion: z.string().optional(),
    /** The task that merged this one's work after a conflict, and landed. */
    supersededBy: z.string().optional(),
    rounds: z.number(),
    criteria: list(
      z.object({
        text: z.string(),
        isMet: z.boolean().optional(),
        evidence: z.string().optional(),
        by: z.enum(['worker', 'reviewer']).optional(),
      }),
    ),
    attempts: list(reportAttemptSchema),
    reviews: list(reportAttemptSchema),
    landings: list(reportLandingSchema),
    cost: reportCostSchema,
  })
  .meta({ id: 'ReportTask' })

const reportBlockerSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('task'),
    id: z.string(),
    text: z.string(),
    suggestion: z.string().optional(),
  }),
  z.object({ type: z.literal('planner'), text: z.string() }),
  z.object({ type: z.literal('approval'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('question'), id: z.string(), text: z.string() }),
])

/** What one job did, each claim with what it rests on. */
export const reportSchema = z
  .object({
    jobId: z.string(),
    projectId: z.string(),
    repositoryPath: z.string(),
    baseBranch: z.string(),
    baseCommit: z.string(),
    workingBranch: z.string(),
    status: jobStatusSchema,
    /** Why it ended. */
    reason: z.string().optional(),
    evidence: list(z.string()),
    cycles: z.number(),
    activeMs: z.number(),
    startedAt: instantSchema.optional(),
    completedAt: instantSchema.optional(),
    /** When the report was made. */
    at: instantSchema,
    checks: list(z.string()),
    clauses: list(
      z.object({
        number: z.number(),
        text: z.string(),
        /** `shown`: no task names it, and the planner said what shows it. */
        status: z.enum(['served', 'open', 'shown', 'untouched']),
        tasks: list(z.string()),
        /** What the planner said shows it. */
        evidence: list(z.string()),
      }),
    ),
    tasks: list(reportTaskSchema),
    /** Those that name no clause of the goal. */
    otherTasks: list(z.string()),
    omittedTasks: z.number(),
    blockers: list(reportBlockerSchema),
    cost: reportCostSchema,
    agents: list(
      z.object({
        agent: z.string(),
        provider: z.string(),
        sessions: z.number(),
        durationMs: z.number(),
        cost: reportCostSchema,
      }),
    ),
    finalizeReady: z.boolean(),
    /** Why it is not ready. */
    notReady: list(z.string()),
    /** What to know before it is taken, and no reason not to. */
    notes: list(z.string()),
  })
  .meta({ id: 'Report' })

export const reportListSchema = z.object({ items: list(reportSchema) })

export const reportQuerySchema = z.object({
  job: z.string().max(64).optional(),
  project: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(20).default(5),
})

export type WireReportCost = z.infer<typeof reportCostSchema>
export type WireReportAttempt = z.infer<typeof reportAttemptSchema>
export type WireReportLanding = z.infer<typeof reportLandingSchema>
export type WireReportTask = z.infer<typeof reportTaskSchema>
export type WireReport = z.infer<typeof reportSchema>
export type WireReportList = z.infer<typeof reportListSchema>
