import type { z } from 'zod'
import { ROLE_FOR } from '../../../domain/agent/built-in-roles.ts'
import type { FailingBaseChoice } from '../../../domain/job/base-state.ts'
import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import type { LandingMode } from '../../../domain/landing/landing-mode.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import { schemaWords } from '../../shared/yaml/schema-words.ts'
import { failingBaseSchema, limitSchemas, modeSchema } from './configuration-schema.ts'

export const ENVIRONMENT = '(environment)'

export type EnvironmentSettings = {
  readonly agents: readonly { readonly role: string; readonly agent: string; readonly variable: string }[]
  readonly mode?: LandingMode
  readonly failingBase?: FailingBaseChoice
  readonly limits: Configuration['limits']
}

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that name the agent for a role. */
const ROLE_VARIABLES = {
  MUSTER_AGENT: ROLE_FOR.task,
  MUSTER_PLANNER: ROLE_FOR.discovery,
  MUSTER_REVIEWER: ROLE_FOR.review,
} as const

const LIMIT_VARIABLES = {
  MUSTER_PARALLEL: 'parallel',
  MUSTER_MAX_CYCLES: 'maxCycles',
  MUSTER_ATTEMPT_MINUTES: 'attemptMinutes',
  MUSTER_BUDGET_USD: 'budgetUsd',
} as const

/** Reads the MUSTER_ variables. An empty variable counts as not set. */
export function readEnvironmentSettings(
  environment: Environment,
): Result<EnvironmentSettings, ConfigurationFailure> {
  const limits = readLimits(environment)
  if (!limits.ok) return limits
  const mode = modeSchema
    .optional()
    .safeParse(readVariable(environment, 'MUSTER_MODE'), { error: schemaWords })
  if (!mode.success) return invalid(environment, 'MUSTER_MODE', mode.error)
  const failingBase = failingBaseSchema
    .optional()
    .safeParse(readVariable(environment, 'MUSTER_FAILING_BASE'), { error: schemaWords })
  if (!failingBase.success) return invalid(environment, 'MUSTER_FAILING_BASE', failingBase.error)
  const agents = Object.entries(ROLE_VARIABLES).flatMap(([variable, role]) => {
    const agent = readVariable(environment, variable)
    return agent === undefined ? [] : [{ role, agent, variable }]
  })
  return success({
    agents,
    limits: limits.value,
    ...(mode.data === undefined ? {} : { mode: mode.data }),
    ...(failingBase.data === undefined ? {} : { failingBase: failingBase.data }),
  })
}

function readLimits(environment: Environment): Result<Configuration['limits'], ConfigurationFailure> {
  const limits: Record<string, number> = {}
  for (const [variable, limit] of Object.entries(LIMIT_VARIABLES)) {
    const text = readVariable(environment, variable)
    if (text === undefined) continue
    const parsed = limitSchemas[limit].safeParse(Number(text), { error: schemaWords })
    if (!parsed.success) return invalid(environment, variable, parsed.error)
    limits[limit] = parsed.data
  }
  return success(limits)
}

function readVariable(environment: Environment, variable: string): string | undefined {
  const text = environment[variable]?.trim() ?? ''
  return text === '' ? undefined : text
}

function invalid(
  environment: Environment,
  variable: string,
  error: z.ZodError,
): Result<never, ConfigurationFailure> {
  const text = readVariable(environment, variable) ?? ''
  const problem = `"${text}" is invalid: ${error.issues[0]?.message ?? 'unknown reason'}`
  return failure({ type: 'configuration-invalid', file: ENVIRONMENT, field: variable, problem })
}
