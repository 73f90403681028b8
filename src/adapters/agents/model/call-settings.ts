import { z } from 'zod'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'

const callSettingsSchema = z.object({
  provider: z.enum(['anthropic', 'openai', 'openai-compatible', 'scripted']),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  priceUsd: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
  /** After which the call is given up, with all its retries. */
  timeLimitMs: z.number().positive(),
})

/** What the program that calls a model is told in its command line: nothing of it is secret. */
export type CallSettings = ModelSource & { readonly timeLimitMs: number }

/** The settings in an argument. Throws: the provider has written it. */
export function requireCallSettings(argument: string): CallSettings {
  const { baseUrl, priceUsd, ...rest } = callSettingsSchema.parse(JSON.parse(argument))
  return {
    ...rest,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(priceUsd === undefined ? {} : { priceUsd }),
  }
}
