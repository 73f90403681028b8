import { z } from 'zod'
import { RUN_ENDS } from '../domain/playbook/route.ts'
import { parseJson } from './parse-json.ts'
import { playbookQuerySchema } from './playbook.ts'

const inputsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** The values of inputs in a query; undefined if the text isn't a JSON object of them. */
export function readForecastInputs(text: string): z.infer<typeof inputsSchema> | undefined {
  return inputsSchema.safeParse(parseJson(text)).data
}

export const forecastQuerySchema = playbookQuerySchema.extend({
  /** A JSON object. Inputs that it doesn't name have their defaults. */
  inputs: z
    .string()
    .max(100_000)
    .refine(
      (text) => readForecastInputs(text) !== undefined,
      'must be a JSON object of texts, numbers and flags',
    )
    .optional(),
})

const amountSchema = z.object({
  visits: z.number(),
  /** Absent if no earlier run says anything about it. */
  costUsd: z.number().optional(),
  /** Without the time in which only a person could go on. */
  durationMs: z.number().optional(),
})

const effort = {
  /** How many earlier visits this is the mean of. */
  visits: z.number(),
  costUsd: z.number().optional(),
  durationMs: z.number().optional(),
}

/** What to expect of a run. Roles and checks without earlier runs are left out of cost and time. */
export const playbookForecastSchema = z
  .object({
    playbook: z.string(),
    /** The earlier runs of this playbook. */
    runs: z.number(),
    /** The shortest way to a finished result. */
    least: amountSchema,
    likely: amountSchema,
    /** The longest way, within the limits of the playbook. */
    most: amountSchema,
    ends: z.array(z.object({ end: z.enum(RUN_ENDS), share: z.number() })),
    stages: z.array(
      z.object({
        stage: z.string(),
        /** How often a run enters it on average. */
        entries: z.number(),
        /** What `outcomes` is from: earlier runs, the inputs, or, for lack of runs, an assumption. */
        from: z.enum(['runs', 'inputs', 'assumption']),
        outcomes: z.array(z.object({ outcome: z.string(), share: z.number() })),
      }),
    ),
    roles: z.array(
      z.object({
        playbook: z.string(),
        role: z.string(),
        /** Whose earlier visits: those in a role of this name, or those of agents that can take the role. */
        from: z.enum(['role', 'agents', 'nothing']),
        ...effort,
      }),
    ),
    /** Absent if nothing is checked. */
    checks: z.object(effort).optional(),
  })
  .meta({ id: 'PlaybookForecast' })

export type WirePlaybookForecast = z.infer<typeof playbookForecastSchema>
