import { z } from 'zod'
import { instantSchema } from './instant.ts'

export const checkResultSchema = z
  .object({ command: z.string(), passed: z.boolean(), detail: z.string(), tree: z.string() })
  .meta({ id: 'CheckResult' })

export const landingSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    taskId: z.string(),
    attemptId: z.string(),
    branch: z.string(),
    tip: z.string(),
    status: z.enum(['queued', 'checking', 'checked', 'landed', 'conflicted', 'rejected']),
    onto: z.string().optional(),
    commit: z.string().optional(),
    tree: z.string().optional(),
    /** Which check runs, from 0, and in which session. */
    checkIndex: z.number().optional(),
    sessionId: z.string().optional(),
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
