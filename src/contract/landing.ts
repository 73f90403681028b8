import { z } from 'zod'
import { instantSchema } from './instant.ts'

export const checkResultSchema = z
  .object({
    command: z.string(),
    passed: z.boolean(),
    detail: z.string(),
    tree: z.string(),
    /** Failed on this tree, then passed on the same tree when it was run again. */
    isFlaky: z.boolean().optional(),
    /** Failed here and on the base, so the failure is not held against the work. */
    failedOnBase: z.boolean().optional(),
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
    /**
     * Given with `checking` if its checks have passed. `person`: it waits for an approval. `turn`: what it builds on must
     * land first.
     */
    waitsFor: z.enum(['person', 'turn']).optional(),
    /** The latest candidate commit it is part of. */
    candidateId: z.string().optional(),
    /** The approval that the candidate waits for, if any. */
    approvalId: z.string().optional(),
    /** The other landings in that candidate. */
    mates: z.array(z.string()).optional(),
    commit: z.string().optional(),
    tree: z.string().optional(),
    /** The working branch already contained all of its changes. */
    isContained: z.boolean().optional(),
    /** The most landings it may be checked together with. */
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
