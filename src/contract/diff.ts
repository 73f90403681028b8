import { z } from 'zod'

export const fileChangeSchema = z.object({
  path: z.string(),
  added: z.number(),
  removed: z.number(),
  isBinary: z.boolean(),
  /** Absent if only the content changed. `retyped`: a file became a symbolic link, for example. */
  status: z.enum(['added', 'deleted', 'renamed', 'retyped']).optional(),
  /** The previous name of a renamed file. */
  from: z.string().optional(),
  /** Changed permissions, such as 644 and 755. */
  mode: z.object({ from: z.string(), to: z.string() }).optional(),
  /** The path is a symbolic link, or was one before it was deleted. */
  isLink: z.literal(true).optional(),
})

/** The change made by a task, a session or a job, or the change an approval is about. */
export const diffSchema = z
  .object({
    /** The id in the request: a task, a session, a job or an approval. */
    subject: z.string(),
    from: z.string(),
    to: z.string(),
    files: z.array(fileChangeSchema).readonly(),
    /** Number of changed files that are not listed. */
    omittedFiles: z.number(),
    /** Unified diff, at most 200 kB. Long files are cut first, so short ones stay complete. */
    patch: z.string(),
    isCut: z.boolean(),
    /** The repository that contains both commits. */
    gitDirectory: z.string(),
    /** An agent is still at work; this is what its tree had when it was asked. */
    inProgress: z.literal(true).optional(),
    /** Files that differ too, but that a merge leaves out: the task list in the diff of a job. */
    leftOut: z.array(z.string()).readonly().optional(),
  })
  .meta({ id: 'Diff' })

/** `withTaskList`: the diff has TASKLIST.md too. */
export const jobDiffQuerySchema = z.object({ withTaskList: z.enum(['true', 'false']).optional() })

export type WireDiff = z.infer<typeof diffSchema>
