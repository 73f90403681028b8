import { z } from 'zod'
import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import type { AnswerSchema } from '../../../domain/agent/answer-schema.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'

const callSettingsSchema = z.object({
  provider: z.enum(['anthropic', 'openai', 'openai-compatible', 'scripted']),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  priceUsd: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
  answer: z.object({
    type: z.literal('object'),
    properties: z.record(z.string(), z.looseObject({})),
    required: z.array(z.string()),
  }),
  /** The time limit of the call with all its retries. */
  timeLimitMs: z.number().positive(),
})

/** The argument of the program that calls a model. Contains no secrets. */
export type CallSettings = ModelSource & { readonly answer: AnswerSchema; readonly timeLimitMs: number }

/** Parses the argument. Throws if it's invalid, because the provider has written it. */
export function requireCallSettings(argument: string): CallSettings {
  return withoutUndefined(callSettingsSchema.parse(JSON.parse(argument)))
}
