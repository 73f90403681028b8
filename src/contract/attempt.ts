import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { endingSchema, sessionEndSchema } from './session-end.ts'

/** What a session left for its successor, which continues in the same tree and on the same branch. */
export const handoffSchema = z.object({
  from: z.string(),
  fromAgent: z.string(),
  to: z.string(),
  summary: z.string(),
  nextSteps: z.string(),
  reason: z.string(),
  at: instantSchema,
})

export const criterionSchema = z.object({
  number: z.number(),
  isMet: z.boolean(),
  evidence: z.string(),
  by: z.enum(['worker', 'reviewer']),
})

export const verdictTypeSchema = z.enum(['approved', 'needs-revision', 'rejected'])

/** What a reviewer decided, and why. */
export const verdictSchema = z.object({
  type: verdictTypeSchema,
  summary: z.string(),
  issues: z.array(
    z.object({ severity: z.string(), location: z.string(), issue: z.string(), suggestion: z.string() }),
  ),
  criteria: z.array(criterionSchema),
})

export const attemptSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    cycleId: z.string(),
    taskId: z.string().optional(),
    /** What the attempt is for. */
    purpose: z.enum(['discovery', 'task', 'review', 'visit']),
    /** Given for an attempt at a visit of a run. */
    runId: z.string().optional(),
    visitId: z.string().optional(),
    role: z.string(),
    number: z.number(),
    agent: z.string(),
    provider: z.string(),
    model: z.string().optional(),
    sessionId: z.string(),
    status: z.enum(['preparing', 'running', 'ended', 'settled']),
    /** How its session ended, until the attempt is settled. */
    end: sessionEndSchema.optional(),
    ending: endingSchema.optional(),
    outcome: z.enum(['accepted', 'rejected', 'cancelled']).optional(),
    reason: z.string().optional(),
    /** Whether its answer is a verdict on work. */
    judges: z.boolean(),
    /** What a reviewer decided, if its answer was usable. */
    verdict: verdictSchema.optional(),
    baseCommit: z.string().optional(),
    tip: z.string().optional(),
    /** Oldest first. */
    handoffs: z.array(handoffSchema),
    version: z.number(),
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Attempt' })

export type WireAttempt = z.infer<typeof attemptSchema>
