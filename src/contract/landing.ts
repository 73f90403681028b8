import { z } from 'zod'
import { instantSchema } from './instant.ts'

export const checkResultSchema = z
  .object({
    command: z.string(),
    passed: z.boolean(),
    detail: z.string(),
    tree: z.string(),
    /** It failed on this tree and passed on it when it was run again. */
    isFlaky: z.boolean().optional(),
  })
  .meta({ id: 'CheckResult' })

export const landingSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    taskId: z.string(),
    attemptId: z.string(),
    branch: z.string(),
    tip: z.string(),
    status: z.enum(['queued', 'checking', 'landed', 'conflicted', 'rejected']),
    /** The newest commit under check, or checked, that it is or was part of. */
    candidateId: z.string().optional(),
    /** The question to a person that this commit waits for, while it does. */
    approvalId: z.string().optional(),
    /** The other landings of that commit. */
    mates: z.array(z.string()).optional(),
    commit: z.string().optional(),
    tree: z.string().optional(),
    /** All that it brings was there already. */
    isContained: z.boolean().optional(),
    /** With how many others at most it is checked together. */
    batchLimit: z.number(),
    conflictPaths: z.array(z.string()).optional(),
    reason: z.string().optional(),
    checks: z.array(checkResultSchema),
    version: z.number(),
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Landing' })

export type WireCheckResult = z.infer<typeof checkResultSchema>
export type WireLanding = z.infer<typeof landingSchema>
