import { z } from 'zod'
import { checkResultSchema } from './landing.ts'

/** Where bringing a job's work into its base branch has got to. */
export const mergeSchema = z
  .object({
    jobId: z.string(),
    baseBranch: z.string(),
    workingBranch: z.string(),
    repositoryPath: z.string(),
    /**
     * `waiting`: the base branch is checked out, and its owner has to go forward to the working branch.
     * `none`: nobody asked for it.
     */
    status: z.enum(['none', 'checking', 'merged', 'waiting', 'refused']),
    /** Whether the base branch was moved by what was asked just now. */
    hasMoved: z.boolean(),
    commit: z.string().optional(),
    tree: z.string().optional(),
    candidateId: z.string().optional(),
    /** The check that runs. */
    check: z.string().optional(),
    checks: z.array(checkResultSchema).readonly(),
    /** Why it was refused. */
    reason: z.string().optional(),
    /** Where the base branch is checked out. */
    at: z.string().optional(),
    warnings: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Merge' })

export type WireMerge = z.infer<typeof mergeSchema>
