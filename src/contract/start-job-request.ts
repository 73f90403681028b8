import { z } from 'zod'
import { RUN_LIMITS } from '../domain/limits/run-limits.ts'
import { failingBaseSchema } from './base.ts'
import { landingModeSchema } from './job.ts'
import { nameSchema, neverSkipSchema, pathSchema, reasonSchema, textSchema } from './text.ts'

/** A blank command would always succeed, so it would check nothing. */
const commandSchema = textSchema.max(10_000).refine((text) => text.trim() !== '', { message: 'is empty' })

const inputs = z.record(nameSchema, z.union([textSchema, z.number(), z.boolean()])).default({})

const named = z.strictObject({ name: nameSchema, inputs })
const sent = z.strictObject({
  files: z.record(nameSchema, textSchema).refine((files) => Object.keys(files).length <= RUN_LIMITS.files, {
    message: `must not be more than ${RUN_LIMITS.files}`,
  }),
  inputs,
})

const MUST_HAVE = 'must have either the name of a playbook or the texts of its files, and optionally inputs'

/** A playbook by its name, or with the texts of its files: `playbook.yaml`, and its prompts and schemas. */
const taskPlaybookSchema = z.union([named, sent], MUST_HAVE)

const cast = {
  /** The agent that takes every role, unless `agents` names another one for it. */
  agent: nameSchema.optional(),
  /** The names of agents, by the roles that they alone take. */
  agents: z.record(nameSchema, nameSchema).optional(),
}

const playbookSchema = z.union([named.extend(cast), sent.extend(cast)], `${MUST_HAVE}, agent and agents`)

/** Fields for features that do not exist yet (`repositoryOwner`) are accepted here and then refused by name. */
export const startJobRequestSchema = z
  .object({
    repositoryPath: pathSchema.optional(),
    repositoryOwner: nameSchema.optional(),
    repositoryName: nameSchema.optional(),
    baseBranch: nameSchema.optional(),
    workingBranch: nameSchema.optional(),
    requestDocument: textSchema,
    initialTaskList: textSchema.optional(),
    /** The playbook that works on the goal; by default a planner divides it into tasks. */
    playbook: playbookSchema.optional(),
    /** The playbook that works on each of the planner's tasks that names no other. */
    taskPlaybook: taskPlaybookSchema.optional(),
    maxCycles: z.number().int().min(1).max(100_000).optional(),
    timeLimitMinutes: z.number().positive().max(1_000_000).optional(),
    maxParallelTasks: z.number().int().min(1).max(256).optional(),
    provider: nameSchema.optional(),
    agent: nameSchema.optional(),
    planner: nameSchema.optional(),
    neverSkip: neverSkipSchema.optional(),
    checks: z.array(commandSchema).max(100).optional(),
    /** What all sessions of the job together may cost, as far as their programs report it. */
    budgetUsd: z.number().positive().max(1_000_000).optional(),
    mode: landingModeSchema.optional(),
    /** Whether to start from the files of the checkout as they are, instead of from its last commit. */
    includeUncommitted: z.boolean().optional(),
    /** What to do if the base fails its checks; by default the configured choice, else `ask`. */
    failingBase: failingBaseSchema.optional(),
    /** The owner of the job; by default the person who runs the daemon. */
    user: nameSchema.optional(),
    autoStart: z.boolean().default(true),
  })
  .strict()
  .refine((request) => request.repositoryPath !== undefined || request.repositoryName !== undefined, {
    message: 'is required: the absolute path of the repository to work on',
    path: ['repositoryPath'],
  })
  .refine((request) => request.provider === undefined || request.agent === undefined, {
    message: 'cannot be combined with agent',
    path: ['provider'],
  })
  .refine((request) => request.playbook === undefined || request.taskPlaybook === undefined, {
    message: 'cannot be combined with playbook: without a planner, the goal is the only task',
    path: ['taskPlaybook'],
  })
  .meta({ id: 'StartJobRequest' })

/** The request as a client writes it: fields with a default are optional. */
export type WireStartJobRequest = z.input<typeof startJobRequestSchema>
export type ParsedStartJobRequest = z.output<typeof startJobRequestSchema>

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters')
  .optional()

export const cancelJobRequestSchema = z
  .object({ reason: reasonSchema })
  .strict()
  .meta({ id: 'CancelJobRequest' })
