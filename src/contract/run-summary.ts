import { z } from 'zod'
import { RUN_ENDS } from '../domain/playbook/route.ts'
import { instantSchema } from './instant.ts'
import { landingSchema } from './landing.ts'
import { reportCostSchema } from './report.ts'
import { degradationSchema, nextCommandSchema, runErrorSchema, runProgressSchema } from './run.ts'
import { artifactSchema, decisionSchema, findingSchema } from './run-result.ts'

/** What one role of a playbook did in a run. */
const roleSummarySchema = z
  .object({
    /** The playbook of the run, or of a run within it. */
    playbook: z.string(),
    role: z.string(),
    agents: z.array(z.string()).readonly(),
    visits: z.number(),
    /** Attempts, including those that failed. */
    tries: z.number(),
    /** How long its sessions ran, added up. */
    durationMs: z.number(),
    cost: reportCostSchema,
  })
  .meta({ id: 'RoleSummary' })

/** What happened in one stage of a run. */
const stageSummarySchema = z
  .object({
    stage: z.string(),
    /** Branches count one by one. */
    visits: z.number(),
    /** One for each entry that has ended, oldest first. */
    outcomes: z.array(z.string()).readonly(),
    /** Of a stage that only chooses a route: where each of its entries led. */
    chosen: z.array(z.string()).readonly().exactOptional(),
    durationMs: z.number(),
  })
  .meta({ id: 'StageSummary' })

/** Everything that a run came to, as far as it has come. */
export const runResultSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    taskId: z.string(),
    playbook: z.string(),
    goal: z.string(),
    inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    status: z.enum(['running', 'asking', 'ended', 'cancelled']),
    end: z.enum(RUN_ENDS).optional(),
    reason: z.string().optional(),
    /** What became of it, and what it made, in one or two sentences. */
    summary: z.string(),
    progress: runProgressSchema,
    startedAt: instantSchema,
    endedAt: instantSchema.optional(),
    durationMs: z.number(),
    /** Without pauses, and without the time in which only a person could go on. */
    activeMs: z.number(),
    visits: z.number(),
    stages: z.array(stageSummarySchema).readonly(),
    roles: z.array(roleSummarySchema).readonly(),
    artifacts: z.array(artifactSchema).readonly(),
    findings: z.array(findingSchema).readonly(),
    decisions: z.array(decisionSchema).readonly(),
    documents: z.array(z.object({ name: z.string(), text: z.string() })).readonly(),
    /** What went wrong, oldest first. */
    errors: z.array(runErrorSchema).readonly(),
    /** What to do about a run that waits, that left documents, or that ended badly. */
    next: z.array(nextCommandSchema).readonly(),
    degradation: degradationSchema.optional(),
    cost: reportCostSchema,
    /** What became of its work in the merge queue; absent if the work didn't get there. */
    landing: z
      .object({
        id: z.string(),
        status: landingSchema.shape.status,
        branch: z.string(),
        /** The commit on the branch. */
        commit: z.string().optional(),
        tree: z.string().optional(),
        reason: z.string().optional(),
      })
      .optional(),
    /** The same as a document, with `format=markdown`. */
    markdown: z.string().optional(),
  })
  .meta({ id: 'RunResult' })

export type WireRunResult = z.infer<typeof runResultSchema>
