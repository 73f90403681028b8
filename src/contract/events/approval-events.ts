import { z } from 'zod'
import { approvalActionSchema } from '../approval.ts'
import { instantSchema } from '../instant.ts'
import { eventSchema } from './event-schema.ts'

const decision = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pending') }),
  z.object({ type: z.literal('allowed'), by: z.string(), ruleId: z.string().optional() }),
  z.object({
    type: z.literal('denied'),
    by: z.string(),
    reason: z.string().optional(),
    aborts: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('expired') }),
  z.object({ type: z.literal('void'), reason: z.string() }),
])

export const approvalEvents = [
  eventSchema(
    'approval_requested',
    z.object({
      approvalId: z.string(),
      agent: z.string(),
      action: approvalActionSchema,
      digest: z.string(),
      expiresAt: instantSchema,
      ruleId: z.string().optional(),
    }),
  ),
  eventSchema(
    'approval_decided',
    z.object({
      approvalId: z.string(),
      digest: z.string(),
      decision,
      isAtOnce: z.literal(true).optional(),
    }),
  ),
] as const
