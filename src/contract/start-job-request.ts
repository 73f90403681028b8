import { z } from 'zod'
import { landingModeSchema } from './job.ts'

/** Text that git, the kernel and the database can all hold. */
export const textSchema = z
  .string()
  .refine((text) => !text.includes('\0'), { message: 'contains a NUL character' })
/** A command of nothing but blanks would always succeed: that is no check. */
const commandSchema = textSchema.max(10_000).refine((text) => text.trim() !== '', { message: 'is empty' })
const nameSchema = textSchema.min(1).max(200)

/** What starts a job. What is known and not served yet (`repositoryOwner`) is accepted here and refused by name. */
export const startJobRequestSchema = z
  .object({
    repositoryPath: textSchema.min(1).max(4096).optional(),
    repositoryOwner: nameSchema.optional(),
    repositoryName: nameSchema.optional(),
    baseBranch: nameSchema.optional(),
    workingBranch: nameSchema.optional(),
    requestDocument: textSchema,
    initialTaskList: textSchema.optional(),
    maxCycles: z.number().int().min(1).max(100_000).optional(),
    timeLimitMinutes: z.number().positive().max(1_000_000).optional(),
    maxParallelTasks: z.number().int().min(1).max(256).optional(),
    provider: nameSchema.optional(),
    agent: nameSchema.optional(),
    planner: nameSchema.optional(),
    checks: z.array(commandSchema).max(100).optional(),
    /** What all sessions of the job together may cost, as far as their programs tell. */
    budgetUsd: z.number().positive().max(1_000_000).optional(),
    mode: landingModeSchema.optional(),
    /** Whose job it is; the person who runs the daemon unless told. */
    user: nameSchema.optional(),
    autoStart: z.boolean().default(true),
  })
  .strict()
  .refine((request) => request.repositoryPath !== undefined || request.repositoryName !== undefined, {
    message: 'is needed: the absolute path of the repository to work on',
    path: ['repositoryPath'],
  })
  .refine((request) => request.provider === undefined || request.agent === undefined, {
    message: 'cannot be combined with agent',
    path: ['provider'],
  })
  .meta({ id: 'StartJobRequest' })

/** As a client writes it: what has a default may be left out. */
export type WireStartJobRequest = z.input<typeof startJobRequestSchema>
export type ParsedStartJobRequest = z.output<typeof startJobRequestSchema>

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters')
  .optional()

export const cancelJobRequestSchema = z
  .object({ reason: textSchema.max(1000).optional() })
  .strict()
  .meta({ id: 'CancelJobRequest' })
