import { z } from 'zod'

/** The body of every successful JSON response. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ success: z.literal(true), data })
}

/** The body of every failed JSON response: what happened, and what to try next. */
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

/** One page of a list; the last page has no `nextCursor`. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() })
}

export type Page<Item> = { readonly items: Item[]; readonly nextCursor?: string | undefined }
