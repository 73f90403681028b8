import { z } from 'zod'
import { RUN_LIMITS } from '../domain/limits/run-limits.ts'
import { RUN_ENDS } from '../domain/playbook/route.ts'
import { STRATEGIES } from '../domain/run/error-code.ts'
import { GIVE_UP_CAUSES } from '../domain/run/trouble-action.ts'
import { instantSchema } from './instant.ts'
import { nameSchema, reasonSchema, textSchema } from './text.ts'

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
    /** The visit of another run whose result it is. Nothing was done for it in this run. */
    takenFrom: z.string().optional(),
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

/** Something that went wrong in a run, and what was done about it. */
export const runErrorSchema = z
  .object({
    /** `AGENT_CRASHED`, for example. */
    code: z.string(),
    category: z.enum(['agent', 'workflow', 'system', 'external', 'user']),
    severity: z.enum(['fatal', 'error', 'warning']),
    /** Whether the stage can still succeed after an error with this code: Muster tries something, or asks a person. */
    recoverable: z.boolean(),
    visitId: z.string(),
    stage: z.string(),
    round: z.number(),
    branch: z.number(),
    attemptId: z.string().optional(),
    at: instantSchema,
    message: z.string(),
    /** `restart`, for example, or `give-up`. */
    action: z.string(),
    /** What the action stands for. */
    strategy: z.enum(STRATEGIES),
    /**
     * Why Muster gave up. `actions`: everything was tried. `visit`, `run`: the tries that a visit or a run may have are used
     * up.
     */
    because: z.enum(GIVE_UP_CAUSES).optional(),
    /** The agent that took over, if another one did. */
    to: z.string().optional(),
    /** When it was tried again, or how long the agent had to finish. */
    until: instantSchema.optional(),
    /** Whether the stage succeeded after all; absent while that is open. */
    recovered: z.boolean().optional(),
  })
  .meta({ id: 'RunError' })

/** What an ended run did without. */
export const degradationSchema = z
  .object({
    level: z.enum(['full', 'reduced', 'minimal', 'failed']),
    lostRoles: z.array(z.string()).readonly(),
    skippedStages: z.array(z.string()).readonly(),
    /** The same in sentences. */
    notes: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Degradation' })

/** A command that a person may want to run next, and what for. */
export const nextCommandSchema = z
  .object({ purpose: z.string(), command: z.string() })
  .meta({ id: 'NextCommand' })

/** How much of a run is done, from 0 to 1. It never decreases, and only a run that has ended has 1. */
export const runProgressSchema = z.number().min(0).max(1)

/** One execution of a playbook, with all its visits. */
export const runSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    taskId: z.string(),
    /** The visit of another run that waits for it. */
    parentId: z.string().optional(),
    /** The run that it continues from, and the number of the first visit that was done anew. */
    origin: z.object({ runId: z.string(), ordinal: z.number() }).optional(),
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
    progress: runProgressSchema,
    /** How often something had to be done about a visit in trouble. */
    recoveries: z.number(),
    visits: z.array(visitSchema),
    /** What went wrong, oldest first. */
    errors: z.array(runErrorSchema).readonly(),
    /** What to do about a run that waits, that left documents, or that ended badly. */
    next: z.array(nextCommandSchema).readonly(),
    degradation: degradationSchema.optional(),
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

export const stopRunRequestSchema = z.object({ reason: reasonSchema }).strict().meta({ id: 'StopRunRequest' })

/** A run that a person stopped or killed. */
export const stoppedRunSchema = z
  .object({
    run: runSchema,
    /**
     * What ended with it: its job, which did nothing else; its task, while the job goes on; the stage that waited for it;
     * or nothing, because it had ended already.
     */
    ended: z.enum(['job', 'task', 'stage', 'nothing']),
    /** How many of its programs were still at work, and now exit or are killed. */
    programs: z.number(),
  })
  .meta({ id: 'StoppedRun' })

export type WireStoppedRun = z.infer<typeof stoppedRunSchema>

export const forkRequestSchema = z
  .object({
    /** The number of a visit, or the name of its stage, of which the latest is meant. */
    at: nameSchema,
    /** The texts of prompts, by the stages that use them instead of their role's. */
    prompts: z.record(nameSchema, textSchema.min(1).max(RUN_LIMITS.promptBytes)).default({}),
    /** The names of agents, by the roles that they take alone. */
    agents: z.record(nameSchema, nameSchema).default({}),
    /** The stages to leave out. */
    skip: z.array(nameSchema).max(RUN_LIMITS.stages).default([]),
  })
  .strict()
  .meta({ id: 'ForkRequest' })

export type WireForkRequest = z.input<typeof forkRequestSchema>
