import { z } from 'zod'
import { FAILING_BASE_CHOICES } from '../domain/job/base-state.ts'
import { instantSchema } from './instant.ts'

/** What to do if the base fails its checks: ask a person, end the job, tolerate it, fix it, or don't check the base. */
export const failingBaseSchema = z.enum(FAILING_BASE_CHOICES)

/**
 * What a job knows about the commit it starts from. `asking`: it fails, and a person must decide. `tolerated`: checks
 * that fail on it may fail on the job's work. `to-fix` and `fixing`: a task fixes it before anything else.
 */
export const baseStatusSchema = z.enum([
  'unchecked',
  'checking',
  'passed',
  'unknown',
  'asking',
  'tolerated',
  'to-fix',
  'fixing',
  'fixed',
])

export const baseResultSchema = z.object({
  command: z.string(),
  passed: z.boolean(),
  /** A setup command, which runs before the checks. */
  isSetup: z.boolean(),
  /** How it ended, and the end of its output if it failed. */
  detail: z.string(),
  isFlaky: z.boolean().optional(),
})

/** The checks of a job's base, and what the job does about them. */
export const baseSchema = z
  .object({
    jobId: z.string(),
    branch: z.string(),
    commit: z.string(),
    status: baseStatusSchema,
    results: z.array(baseResultSchema),
    /** Why nothing is known. */
    reason: z.string().optional(),
    /** When it was checked, perhaps for an earlier job. */
    checkedAt: instantSchema.optional(),
    /** What a person can decide now. */
    choices: z.array(z.enum(['continue', 'fix', 'retry', 'stop'])),
    /** The command that is running, while the base is checked. */
    running: z
      .object({
        command: z.string(),
        isSetup: z.boolean(),
        /** Its number among the setup commands or the checks, and how many there are. */
        number: z.number(),
        of: z.number(),
        /** All run a second time, because one failed or its result was lost. */
        isAgain: z.boolean(),
      })
      .optional(),
  })
  .meta({ id: 'Base' })

export const baseDecisionRequestSchema = z
  .object({
    /** Tolerate what fails on the base, fix it first, check it again, or cancel the job. */
    decision: z.enum(['continue', 'fix', 'retry', 'stop']),
  })
  .strict()
  .meta({ id: 'BaseDecisionRequest' })

export type WireBase = z.infer<typeof baseSchema>
export type WireBaseDecision = z.infer<typeof baseDecisionRequestSchema>['decision']
