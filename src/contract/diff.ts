import { z } from 'zod'

export const fileChangeSchema = z.object({
  path: z.string(),
  added: z.number(),
  removed: z.number(),
  isBinary: z.boolean(),
  /** Absent when it is the same file with other content. `retyped`: a file became a link, for example. */
  status: z.enum(['added', 'deleted', 'renamed', 'retyped']).optional(),
  /** What a renamed file was called. */
  from: z.string().optional(),
  /** Permissions that were changed, as in 644 and 755. */
  mode: z.object({ from: z.string(), to: z.string() }).optional(),
  /** It is, or was when it is deleted, a symbolic link. */
  isLink: z.literal(true).optional(),
})

/** A change for reading: of a task, of a job, or of what waits for a person's word. */
export const diffSchema = z
  .object({
    /** The id that it was asked for by. */
    subject: z.string(),
    from: z.string(),
    to: z.string(),
    files: z.array(fileChangeSchema).readonly(),
    /** Files that are changed and not listed. */
    omittedFiles: z.number(),
    /** Unified; cut at 200 kB, long files first, so that short ones are there whole. */
    patch: z.string(),
    isCut: z.boolean(),
    /** Where git has both commits. */
    gitDirectory: z.string(),
  })
  .meta({ id: 'Diff' })

export type WireDiff = z.infer<typeof diffSchema>
