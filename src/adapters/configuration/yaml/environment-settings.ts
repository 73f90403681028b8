import { failure, type Result, success } from '../../../domain/result.ts'
import type { Configuration, ConfigurationFailure } from '../../../ports/configuration-source.ts'
import { limitSchemas } from './configuration-schema.ts'

export const ENVIRONMENT = '(environment)'

export type EnvironmentSettings = {
  readonly worker?: string
  readonly planner?: string
  readonly limits: Configuration['limits']
}

const LIMIT_VARIABLES = {
  MUSTER_PARALLEL: 'parallel',
  MUSTER_MAX_CYCLES: 'maxCycles',
  MUSTER_ATTEMPT_MINUTES: 'attemptMinutes',
} as const

/** What MUSTER_ variables say. One that is set to nothing counts as not set. */
export function readEnvironmentSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Result<EnvironmentSettings, ConfigurationFailure> {
  const limits: Record<string, number> = {}
  for (const [variable, limit] of Object.entries(LIMIT_VARIABLES)) {
    const text = environment[variable]?.trim() ?? ''
    if (text === '') continue
    const parsed = limitSchemas[limit].safeParse(Number(text))
    if (!parsed.success) {
      const problem = `"${text}" will not do: ${parsed.error.issues[0]?.message ?? 'not a number'}`
      return failure({ type: 'configuration-invalid', file: ENVIRONMENT, field: variable, problem })
    }
    limits[limit] = parsed.data
  }
  const { MUSTER_AGENT, MUSTER_PLANNER } = environment
  const worker = MUSTER_AGENT?.trim() ?? ''
  const planner = MUSTER_PLANNER?.trim() ?? ''
  return success({ limits, ...(worker === '' ? {} : { worker }), ...(planner === '' ? {} : { planner }) })
}
