import type { z } from 'zod'
import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import type { LandingMode } from '../../../domain/landing/landing-mode.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import { limitSchemas, modeSchema } from './configuration-schema.ts'
import { schemaWords } from './schema-words.ts'

export const ENVIRONMENT = '(environment)'

export type EnvironmentSettings = {
  readonly worker?: string
  readonly planner?: string
  readonly reviewer?: string
  readonly mode?: LandingMode
  readonly limits: Configuration['limits']
}

type Environment = Readonly<Record<string, string | undefined>>

const LIMIT_VARIABLES = {
  MUSTER_PARALLEL: 'parallel',
  MUSTER_MAX_CYCLES: 'maxCycles',
  MUSTER_ATTEMPT_MINUTES: 'attemptMinutes',
  MUSTER_BUDGET_USD: 'budgetUsd',
} as const

/** What MUSTER_ variables say. One that is set to nothing counts as not set. */
export function readEnvironmentSettings(
  environment: Environment,
): Result<EnvironmentSettings, ConfigurationFailure> {
  const limits = readLimits(environment)
  if (!limits.ok) return limits
  const mode = modeSchema.optional().safeParse(wordIn(environment, 'MUSTER_MODE'), { error: schemaWords })
  if (!mode.success) return invalid(environment, 'MUSTER_MODE', mode.error)
  const worker = wordIn(environment, 'MUSTER_AGENT')
  const planner = wordIn(environment, 'MUSTER_PLANNER')
  const reviewer = wordIn(environment, 'MUSTER_REVIEWER')
  return success({
    limits: limits.value,
    ...(worker === undefined ? {} : { worker }),
    ...(planner === undefined ? {} : { planner }),
    ...(reviewer === undefined ? {} : { reviewer }),
    ...(mode.data === undefined ? {} : { mode: mode.data }),
  })
}

function readLimits(environment: Environment): Result<Configuration['limits'], ConfigurationFailure> {
  const limits: Record<string, number> = {}
  for (const [variable, limit] of Object.entries(LIMIT_VARIABLES)) {
    const text = wordIn(environment, variable)
    if (text === undefined) continue
    const parsed = limitSchemas[limit].safeParse(Number(text), { error: schemaWords })
    if (!parsed.success) return invalid(environment, variable, parsed.error)
    limits[limit] = parsed.data
  }
  return success(limits)
}

function wordIn(environment: Environment, variable: string): string | undefined {
  const text = environment[variable]?.trim() ?? ''
  return text === '' ? undefined : text
}

function invalid(
  environment: Environment,
  variable: string,
  error: z.ZodError,
): Result<never, ConfigurationFailure> {
  const text = wordIn(environment, variable) ?? ''
  const problem = `"${text}" will not do: ${error.issues[0]?.message ?? 'not understood'}`
  return failure({ type: 'configuration-invalid', file: ENVIRONMENT, field: variable, problem })
}
