import { z } from 'zod'

const bytes = z.int().min(0)

/** What the home occupies on its disk, and whether its repositories are intact. */
export const storageSchema = z
  .object({
    freeBytes: bytes,
    usedBytes: bytes,
    /** By folder of the home, largest first. */
    folders: z.array(z.object({ name: z.string(), bytes })),
    repositories: z.array(
      z.object({
        project: z.string(),
        path: z.string().optional(),
        status: z.enum(['intact', 'missing', 'damaged', 'unknown']),
        problem: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Storage' })

export const diskUseSchema = z.object({
  usedBytes: bytes,
  freeBytes: bytes,
  /** How long ago this was measured. */
  ageMs: z.int().min(0),
})

export type WireStorage = z.infer<typeof storageSchema>
export type WireDiskUse = z.infer<typeof diskUseSchema>
