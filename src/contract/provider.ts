import { z } from 'zod'

/** One kind of agent program, and whether this machine has it. */
export const providerSchema = z
  .object({
    id: z.string(),
    availability: z.discriminatedUnion('type', [
      z.object({ type: z.literal('available'), version: z.string() }),
      z.object({ type: z.literal('missing'), install: z.string() }),
    ]),
  })
  .meta({ id: 'Provider' })

export type WireProvider = z.infer<typeof providerSchema>
