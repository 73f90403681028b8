import { z } from 'zod'
import { NAMED_KINDS } from '../domain/short-id.ts'
import { textSchema } from './text.ts'

const kindSchema = z.enum(NAMED_KINDS)

export const nameQuerySchema = z.object({
  /** What a person typed: an id, its start, its short form, or part of a title. Empty for the newest records. */
  text: textSchema.max(500).optional(),
  /** Kinds, separated by commas; without it, all. */
  kinds: z
    .string()
    .max(200)
    .transform((text) => text.split(','))
    .pipe(z.array(kindSchema).max(NAMED_KINDS.length))
    .optional(),
})

export const namedRecordSchema = z.object({
  kind: kindSchema,
  id: z.string(),
  by: z.enum(['short-id', 'id-start', 'title']),
  /** What the record is about; may be empty. */
  title: z.string(),
  /** The short name of a task, such as t1-2. */
  name: z.string().optional(),
  jobId: z.string().optional(),
  repositoryPath: z.string().optional(),
})

export const namesSchema = z.object({
  /** For each kind, how many random characters of an id tell its records apart. */
  lengths: z.record(kindSchema, z.number()),
  items: z.array(namedRecordSchema),
})

export type WireNames = z.infer<typeof namesSchema>
export type WireNamedRecord = z.infer<typeof namedRecordSchema>
