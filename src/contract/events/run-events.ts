import { z } from 'zod'
import { RUN_ENDS } from '../../domain/playbook/route.ts'
import { verdictSchema } from '../attempt.ts'
import { eventSchema } from './event-schema.ts'

const runId = z.string()
const visitId = z.string()
const stage = z.string()
const round = z.number()

export const runEvents = [
  eventSchema('run_started', z.object({ runId, playbook: z.string() })),
  eventSchema('stage_entered', z.object({ runId, stage, round, branches: z.number() })),
  eventSchema(
    'stage_ended',
    z.object({
      runId,
      visitId,
      stage,
      round,
      branch: z.number(),
      outcome: z.string(),
      problem: z.string().optional(),
      /** What a reviewer wants changed. */
      issues: verdictSchema.shape.issues.readonly().optional(),
    }),
  ),
  eventSchema(
    'stage_recovered',
    z.object({
      runId,
      visitId,
      stage,
      action: z.string(),
      /** The agent that took over, if another one did. */
      to: z.string().optional(),
      problem: z.string(),
    }),
  ),
  eventSchema(
    'run_ended',
    z.object({ runId, playbook: z.string(), end: z.enum(RUN_ENDS), reason: z.string().optional() }),
  ),
  eventSchema('run_cancelled', z.object({ runId, playbook: z.string(), reason: z.string() })),
] as const
