import { z } from 'zod'

/** A supported agent program: what it can do, and whether it is installed on this machine. */
export const providerSchema = z
  .object({
    id: z.string(),
    availability: z.discriminatedUnion('type', [
      z.object({ type: z.literal('available'), version: z.string() }),
      z.object({ type: z.literal('missing'), install: z.string() }),
    ]),
    /** Whether it can work now, as far as it can tell without using a model. Absent if nothing is known. */
    readiness: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('ready') }),
        z.object({ type: z.literal('unsure') }),
        z.object({
          type: z.literal('unready'),
          cause: z.enum(['login', 'network', 'version']),
          reason: z.string(),
          remedy: z.string(),
        }),
      ])
      .optional(),
    /** Its conversations can be resumed after they end. */
    resumes: z.boolean(),
    /** It can wait for approval before it acts. */
    asks: z.boolean(),
    /** It has an interactive terminal interface. */
    hasTerminal: z.boolean(),
    /** Present only if requested; empty if the program does not list its models. */
    models: z
      .array(z.object({ id: z.string(), name: z.string(), isDefault: z.boolean().optional() }))
      .optional(),
  })
  .meta({ id: 'Provider' })

/** Listing models starts the programs, which is slow. */
export const providerQuerySchema = z.object({ models: z.enum(['true']).optional() })

export type WireProvider = z.infer<typeof providerSchema>
