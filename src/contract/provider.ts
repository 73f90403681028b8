import { z } from 'zod'

/** One kind of agent program: what it can do, and whether this machine has it. */
export const providerSchema = z
  .object({
    id: z.string(),
    availability: z.discriminatedUnion('type', [
      z.object({ type: z.literal('available'), version: z.string() }),
      z.object({ type: z.literal('missing'), install: z.string() }),
    ]),
    /** Its conversations can be gone on with after they ended. */
    resumes: z.boolean(),
    /** It can wait for a decision before it does something. */
    asks: z.boolean(),
    /** It has a screen of its own for a person. */
    hasTerminal: z.boolean(),
    /** Only where they were asked for; empty when the program does not tell. */
    models: z
      .array(z.object({ id: z.string(), name: z.string(), isDefault: z.boolean().optional() }))
      .optional(),
  })
  .meta({ id: 'Provider' })

/** Asking for models starts the programs, which takes its time. */
export const providerQuerySchema = z.object({ models: z.enum(['true']).optional() })

export type WireProvider = z.infer<typeof providerSchema>
