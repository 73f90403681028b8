import { z } from 'zod'
import { LIST_LIMITS } from '../domain/limits/list-limits.ts'
import { criterionSchema, verdictTypeSchema } from './attempt.ts'
import { list } from './events/event-schema.ts'
import { instantSchema } from './instant.ts'
import { jobStatusSchema } from './job.ts'
import { checkResultSchema, landingSchema } from './landing.ts'
import { nextCommandSchema, runErrorSchema, runProgressSchema, runSchema } from './run.ts'
import { taskSchema, taskStatusSchema } from './task.ts'
import { idSchema } from './text.ts'

export const reportCostSchema = z
  .object({
    costUsd: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** Sessions whose program reported no price; they are missing from every total. */
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
    verdict: verdictTypeSchema.optional(),
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
    status: landingSchema.shape.status,
    waitsFor: landingSchema.shape.waitsFor,
    candidateId: z.string().optional(),
    /** Tasks that were merged into the same commit and checked together with this one. */
    mates: list(z.string()),
    commit: z.string().optional(),
    tree: z.string().optional(),
    isContained: z.boolean(),
    reason: z.string().optional(),
    conflictPaths: list(z.string()),
    checks: list(checkResultSchema),
    /** Git confirms that the commit's tree is the tree every check ran on. */
    verified: z.boolean().optional(),
  })
  .meta({ id: 'ReportLanding' })

const reportTaskSchema = z
  .object({
    id: z.string(),
    cycleNumber: z.number(),
    number: z.number(),
    description: z.string(),
    priority: taskSchema.shape.priority,
    status: taskStatusSchema,
    origin: z.enum(['planned', 'given', 'conflict', 'base']),
    clauses: list(z.number()),
    reason: z.string().optional(),
    suggestion: z.string().optional(),
    isDenied: taskSchema.shape.isDenied,
    /** The task that merged this one's work after a conflict and landed. */
    supersededBy: z.string().optional(),
    /** A task of a later cycle that landed for the same clauses. It may have done something else. */
    coveredBy: z.string().optional(),
    /** How much its work changes, counted in full. */
    changes: z.object({ files: z.number(), added: z.number(), removed: z.number() }).optional(),
    /** What could not be collected from its agent's working tree. */
    omissions: list(z.string()).optional(),
    /** What its agent said about the result. */
    summary: z.string().optional(),
    rounds: z.number(),
    criteria: list(criterionSchema.omit({ number: true }).partial().extend({ text: z.string() })),
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

/** A run of a playbook, with what went wrong in it. */
const reportRunSchema = z
  .object({
    id: z.string(),
    taskId: z.string(),
    playbook: z.string(),
    status: runSchema.shape.status,
    end: runSchema.shape.end,
    reason: z.string().optional(),
    progress: runProgressSchema,
    visits: z.number(),
    /** What it did without, in sentences. */
    degradation: list(z.string()),
    /** How much went wrong; `errors` has only the latest. */
    errorCount: z.number(),
    errors: list(runErrorSchema),
    next: list(nextCommandSchema),
  })
  .meta({ id: 'ReportRun' })

/** What one job did, with the evidence for each claim. */
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
    /** When the report was generated. */
    at: instantSchema,
    checks: list(z.string()),
    clauses: list(
      z.object({
        number: z.number(),
        text: z.string(),
        /** `shown`: no task names the clause, but the planner gave evidence for it. */
        status: z.enum(['served', 'open', 'shown', 'untouched']),
        tasks: list(z.string()),
        /** The planner's evidence. */
        evidence: list(z.string()),
      }),
    ),
    tasks: list(reportTaskSchema),
    /** Tasks that name no clause of the goal. */
    otherTasks: list(z.string()),
    omittedTasks: z.number(),
    /** The newest runs of playbooks, oldest first. */
    runs: list(reportRunSchema),
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
    /** Given if the job has ended and its base branch has all of its work. */
    merged: z
      .object({
        /** The commit with which the work came into the base branch, if that is known. */
        commit: z.string().optional(),
      })
      .optional(),
    /** The work may be ready although a person denied a part of it (`denied`). */
    finalizeReady: z.boolean(),
    /** The tasks whose work a person denied and that nothing replaced. */
    denied: list(z.string()),
    /** Why it is not ready. */
    notReady: list(z.string()),
    /** Worth knowing before you merge; none of it prevents the merge. */
    notes: list(z.string()),
  })
  .meta({ id: 'Report' })

export const reportListSchema = z.object({
  /** With `format=markdown`, each report is there as a document too. */
  items: list(reportSchema.extend({ markdown: z.string().optional() })),
})

export const reportQuerySchema = z.object({
  job: idSchema.optional(),
  project: idSchema.optional(),
  format: z.enum(['data', 'markdown']).optional(),
  limit: z.coerce.number().int().min(1).max(LIST_LIMITS.mostReports).default(LIST_LIMITS.reports),
})

export type WireReportCost = z.infer<typeof reportCostSchema>
export type WireReportAttempt = z.infer<typeof reportAttemptSchema>
export type WireReportLanding = z.infer<typeof reportLandingSchema>
export type WireReportTask = z.infer<typeof reportTaskSchema>
export type WireReport = z.infer<typeof reportSchema>
export type WireReportList = z.infer<typeof reportListSchema>
