import { z } from 'zod'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'

const callSettingsSchema = z.object({
  provider: z.enum(['anthropic', 'openai', 'openai-compatible', 'scripted']),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  priceUsd: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
  /** The time limit of the call with all its retries. */
  timeLimitMs: z.number().positive(),
})

/** The argument of the program that calls a model. Contains no secrets. */
export type CallSettings = ModelSource & { readonly timeLimitMs: number }

/** Parses the argument. Throws if it's invalid, because the provider has written it. */
export function requireCallSettings(argument: string): CallSettings {
  return withoutUndefined(callSettingsSchema.parse(JSON.parse(argument)))
}
