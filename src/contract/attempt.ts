import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { sessionEndSchema } from './session-end.ts'

export const attemptSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    cycleId: z.string(),
    taskId: z.string().optional(),
    role: z.enum(['planner', 'worker']),
    number: z.number(),
    agent: z.string(),
    provider: z.string(),
    model: z.string().optional(),
    sessionId: z.string(),
    status: z.enum(['preparing', 'running', 'ended', 'settled']),
    /** How its session ended, while that waits to be judged. */
    end: sessionEndSchema.optional(),
    outcome: z.enum(['accepted', 'rejected', 'cancelled']).optional(),
    reason: z.string().optional(),
    baseCommit: z.string().optional(),
    tip: z.string().optional(),
    version: z.number(),
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Attempt' })

export type WireAttempt = z.infer<typeof attemptSchema>
