import { z } from 'zod'

/** Every JSON answer that went well. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ success: z.literal(true), data })
}

/** Every JSON answer that did not: what happened, and the next command to try. */
export const failureBodySchema = z
  .object({
    success: z.literal(false),
    error: z.object({
      type: z.string(),
      message: z.string(),
      next: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Failure' })

export type FailureBody = z.infer<typeof failureBodySchema>

/** A page of a list; `nextCursor` is absent on the last one. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() })
}

export type Page<Item> = { readonly items: Item[]; readonly nextCursor?: string | undefined }
