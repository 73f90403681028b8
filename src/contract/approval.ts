import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { checkResultSchema } from './landing.ts'
import { pageQuerySchema } from './page-query.ts'

/** Exactly what an agent's program wants to do. */
export const approvalActionSchema = z.object({
  tool: z.string(),
  input: z.unknown(),
  reason: z.string().optional(),
  directory: z.string(),
})

/** One decision on one exact action of one session. */
export const approvalSchema = z
  .object({
    id: z.string(),
    jobId: z.string().optional(),
    attemptId: z.string().optional(),
    /** The session that asks; absent when the merge queue asks about a candidate. */
    sessionId: z.string().optional(),
    candidateId: z.string().optional(),
    /** Of the session that asks. */
    agent: z.string().optional(),
    role: z.string().optional(),
    life: z.number().optional(),
    requestId: z.string().optional(),
    /** Names the action: a decision that is given this one is on nothing else. */
    digest: z.string(),
    action: approvalActionSchema,
    /** What a commit that is to land rests on. */
    evidence: z
      .object({
        checks: z.array(checkResultSchema),
        reviews: z.array(
          z.object({
            taskId: z.string(),
            /** Cycle and number of the task. */
            task: z.string(),
            agent: z.string(),
            verdict: z.enum(['approved', 'needs-revision', 'rejected']),
            summary: z.string(),
          }),
        ),
      })
      .optional(),
    status: z.enum(['pending', 'allowed', 'denied', 'expired', 'void']),
    by: z.string().optional(),
    /** Why it was denied, or why the question went away. */
    reason: z.string().optional(),
    version: z.number(),
    createdAt: instantSchema,
    expiresAt: instantSchema,
    decidedAt: instantSchema.optional(),
  })
  .meta({ id: 'Approval' })

export const approvalQuerySchema = pageQuerySchema.extend({
  job: z.string().max(64).optional(),
  session: z.string().max(64).optional(),
  status: z.enum(['pending', 'all']).default('pending'),
})

const digestSchema = z.string().max(200).optional()

export const allowRequestSchema = z.object({ digest: digestSchema }).strict().meta({ id: 'AllowRequest' })

export const denyRequestSchema = z
  .object({
    reason: z
      .string()
      .max(1000)
      .refine((text) => !text.includes('\0'), { message: 'contains a NUL character' })
      .optional(),
    digest: digestSchema,
  })
  .strict()
  .meta({ id: 'DenyRequest' })

export type WireApproval = z.infer<typeof approvalSchema>
