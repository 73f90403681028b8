import { z } from 'zod'
import { RUN_ENDS } from '../domain/playbook/route.ts'
import { diffSchema } from './diff.ts'
import { reportCostSchema } from './report.ts'
import { idSchema } from './text.ts'

const comparedVisitSchema = z.object({
  id: z.string(),
  stage: z.string(),
  round: z.number(),
  branch: z.number(),
  status: z.string(),
  outcome: z.string().optional(),
  /** The agent that made it; absent if there was none, or if it was taken from another run. */
  agent: z.string().optional(),
  takenFrom: z.string().optional(),
  durationMs: z.number(),
  costUsd: z.number(),
  /** What a reviewer said. */
  verdict: z.string().optional(),
})

const comparedRunSchema = z.object({
  id: z.string(),
  jobId: z.string(),
  playbook: z.string(),
  hash: z.string(),
  goal: z.string(),
  status: z.enum(['running', 'asking', 'ended', 'cancelled']),
  end: z.enum(RUN_ENDS).optional(),
  reason: z.string().optional(),
  /** What became of it, and what it made. */
  summary: z.string(),
  durationMs: z.number(),
  activeMs: z.number(),
  cost: reportCostSchema,
  /** Its work; absent if it has made none. */
  commit: z.string().optional(),
})

/** Two runs side by side: what they did, what it cost, and how their results differ. */
export const runComparisonSchema = z
  .object({
    a: comparedRunSchema,
    b: comparedRunSchema,
    visits: z.array(
      z.object({
        /** `shared`: made once and taken by the other. `alike`: both made it, with the same outcome. */
        relation: z.enum(['shared', 'alike', 'different', 'only-a', 'only-b']),
        a: comparedVisitSchema.optional(),
        b: comparedVisitSchema.optional(),
      }),
    ),
    /** From the result of `a` to that of `b`. A run without work counts with what it started from. */
    work: diffSchema.optional(),
    /** Why there is no `work`. */
    withoutWork: z.enum(['no-work', 'other-project']).optional(),
    /** By the paths of `work.files`: which run changed the file. `base`: they started from different commits. */
    changedBy: z.record(z.string(), z.enum(['a', 'b', 'both', 'base'])),
  })
  .meta({ id: 'RunComparison' })

export type WireRunComparison = z.infer<typeof runComparisonSchema>

/** `with`: the other run. `patch`: the texts of the files are compared, too. */
export const compareRunsQuerySchema = z.object({
  with: idSchema,
  patch: z.enum(['true', 'false']).optional(),
})
