import { z } from 'zod'
import { checkResultSchema } from './landing.ts'

/** How to merge. */
export const mergeRequestSchema = z
  .object({
    /** Whether TASKLIST.md goes to the base branch too. It is left out otherwise. */
    withTaskList: z.boolean().optional(),
    /** Whether uncommitted changes that the job started from go there too. It is refused otherwise. */
    withUncommitted: z.boolean().optional(),
    /** Whether the base branch gets one commit instead of the history of the working branch. */
    squash: z.boolean().optional(),
  })
  .meta({ id: 'MergeRequest' })

/** The state of a merge of a job's work into its base branch. */
export const mergeSchema = z
  .object({
    jobId: z.string(),
    baseBranch: z.string(),
    workingBranch: z.string(),
    repositoryPath: z.string(),
    /**
     * `waiting`: the base branch is checked out, so its owner has to fast-forward it to the working branch.
     * `none`: no merge was requested.
     */
    status: z.enum(['none', 'checking', 'merged', 'waiting', 'refused']),
    /** Whether this request moved the base branch. */
    hasMoved: z.boolean(),
    commit: z.string().optional(),
    tree: z.string().optional(),
    candidateId: z.string().optional(),
    /** The check that is running. */
    check: z.string().optional(),
    checks: z.array(checkResultSchema).readonly(),
    /** Why the merge was refused. */
    reason: z.string().optional(),
    /** Where the base branch is checked out. */
    at: z.string().optional(),
    warnings: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Merge' })

export type WireMerge = z.infer<typeof mergeSchema>
