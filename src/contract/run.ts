import { z } from 'zod'
import { RUN_ENDS } from '../domain/playbook/route.ts'
import { instantSchema } from './instant.ts'

/** One entry of a run into a stage, or one branch of it. */
const visitSchema = z
  .object({
    id: z.string(),
    /** Counts the entries of the run, from 1. The branches of a fan-out share it. */
    ordinal: z.number(),
    stage: z.string(),
    /** Counts the entries into this stage, from 1. */
    round: z.number(),
    /** From 1 in a fan-out, otherwise 0. */
    branch: z.number(),
    status: z.enum(['waiting', 'working', 'checking', 'asking', 'running-child', 'settled', 'cancelled']),
    outcome: z.string().optional(),
    attemptId: z.string().optional(),
    tries: z.number(),
    /** Why the last try was rejected. */
    problem: z.string().optional(),
    commit: z.string().optional(),
    /** What its agent answered, as the playbook's output describes it. */
    answer: z.unknown().optional(),
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Visit' })

/** One execution of a playbook, with all its visits. */
export const runSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    taskId: z.string(),
    /** The visit of another run that waits for it. */
    parentId: z.string().optional(),
    playbook: z.string(),
    /** Identifies the playbook as it was when the run started. */
    hash: z.string(),
    inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    baseCommit: z.string(),
    /** How often each limited route was taken, by its stage and outcome. */
    counters: z.record(z.string(), z.number()),
    status: z.enum(['running', 'asking', 'ended', 'cancelled']),
    end: z.enum(RUN_ENDS).optional(),
    reason: z.string().optional(),
    /** How often something had to be done about a visit in trouble. */
    recoveries: z.number(),
    visits: z.array(visitSchema),
    /** The answers that the playbook names as documents of its result. */
    documents: z.array(z.object({ name: z.string(), text: z.string() })).readonly(),
    /** The runs that its stages started by following other playbooks; absent if there are none. */
    get children(): z.ZodOptional<z.ZodArray<typeof runSchema>> {
      return z.array(runSchema).optional()
    },
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Run' })

export type WireRun = z.infer<typeof runSchema>
