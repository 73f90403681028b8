import { z } from 'zod'

/** A change for reading: of a task, of a job, or of what waits for a person's word. */
export const diffSchema = z
  .object({
    /** The id that it was asked for by. */
    subject: z.string(),
    from: z.string(),
    to: z.string(),
    files: z
      .array(z.object({ path: z.string(), added: z.number(), removed: z.number(), isBinary: z.boolean() }))
      .readonly(),
    /** Files that are changed and not listed. */
    omittedFiles: z.number(),
    /** Unified; cut at 200 kB. */
    patch: z.string(),
    isCut: z.boolean(),
    /** Where git has both commits. */
    gitDirectory: z.string(),
  })
  .meta({ id: 'Diff' })

export type WireDiff = z.infer<typeof diffSchema>
