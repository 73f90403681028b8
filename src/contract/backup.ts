import { z } from 'zod'
import { instantSchema } from './instant.ts'

const count = z.int().min(0)

export const backupRequestSchema = z
  .object({
    /** The file to write, on the daemon's machine. */
    file: z
      .string()
      .max(4096)
      .regex(/^\//, 'must be an absolute path')
      .refine((path) => !path.includes('\0'), 'contains a NUL character'),
    /** Whether to replace the file if it exists. */
    force: z.boolean().optional(),
  })
  .meta({ id: 'BackupRequest' })

/** What the daemon's last backup is doing or has become. */
export const backupSchema = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('none') }),
    z.object({
      status: z.literal('running'),
      file: z.string(),
      step: z.enum(['records', 'repositories']),
      done: count,
      total: count,
    }),
    z.object({
      status: z.literal('done'),
      file: z.string(),
      bytes: count,
      rows: count,
      hubs: count,
      /** Repositories that could not be copied. */
      problems: z.array(z.object({ project: z.string(), problem: z.string() })),
    }),
    z.object({ status: z.literal('failed'), message: z.string(), next: z.string().optional() }),
  ])
  .meta({ id: 'Backup' })

const partSchema = z.object({
  name: z.string(),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The last part of a backup: what the others are, and what they must contain. */
export const backupManifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  schema: z.string(),
  madeAt: instantSchema,
  tables: z.array(z.string()),
  hubs: z.array(z.string()),
  parts: z.array(partSchema),
})

export type WireBackup = z.infer<typeof backupSchema>
export type WireBackupRequest = z.infer<typeof backupRequestSchema>
export type BackupManifest = z.infer<typeof backupManifestSchema>
