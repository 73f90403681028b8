import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { sessionEndSchema } from './session-end.ts'

export const sessionPurposeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attempt'), attemptId: z.string() }),
  z.object({ type: z.literal('check'), landingId: z.string(), index: z.number() }),
])

export const containmentSchema = z.enum(['pid-namespace', 'process-group'])

export const sessionSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    purpose: sessionPurposeSchema,
    agent: z.string(),
    provider: z.string(),
    role: z.string(),
    status: z.enum(['starting', 'running', 'suspended', 'terminating', 'terminated']),
    pid: z.number().optional(),
    /** How it ended, or, while it is being stopped, why. */
    end: sessionEndSchema.optional(),
    containment: containmentSchema.optional(),
    /** Bytes of its output that have become events. */
    outputBytes: z.number(),
    errorBytes: z.number(),
    deadline: instantSchema.optional(),
    version: z.number(),
    createdAt: instantSchema,
    endedAt: instantSchema.optional(),
  })
  .meta({ id: 'Session' })

export type WireSession = z.infer<typeof sessionSchema>
