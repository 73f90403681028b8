import { z } from 'zod'

/** What a person needs to push a job's work and to open a pull request for it. The daemon does neither. */
export const pullRequestSchema = z
  .object({
    jobId: z.string(),
    repositoryPath: z.string(),
    /** The branch to merge into. Absent if the job started from a detached HEAD. */
    baseBranch: z.string().optional(),
    baseCommit: z.string(),
    /** The branch to push to. */
    branch: z.string(),
    /** The commit to push. */
    commit: z.string(),
    /** Whether the commit still has the task list. A prepared one has it only if that was asked for. */
    hasTaskList: z.boolean().optional(),
    /** The object directory, on the daemon's machine, that contains the commit. */
    objectsPath: z.string(),
    title: z.string(),
    /** The evidence report as Markdown that mentions no one and refers to no issue. */
    body: z.string(),
    isReady: z.boolean(),
    /** Why the work is not ready to merge. */
    notReady: z.array(z.string()).readonly(),
    warnings: z.array(z.string()).readonly(),
  })
  .meta({ id: 'PullRequest' })

export type WirePullRequest = z.infer<typeof pullRequestSchema>
