import { failure, type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchRequest } from '../../../ports/agent-provider.ts'

type Environment = Readonly<Record<string, string>>

/**
 * The environment of an agent's program: the provider's `defaults`, then the attempt's variables, then the agent's own.
 * An agent can't set a MUSTER_ variable.
 */
export function launchEnvironment(
  request: Pick<LaunchRequest, 'agent' | 'environment'>,
  defaults: Environment = {},
): Result<Environment, LaunchFailure> {
  const own = Object.entries(request.agent.env).filter(([name]) => !name.startsWith('MUSTER_'))
  const environment = { ...defaults, ...request.environment, ...Object.fromEntries(own) }
  const unusable = Object.entries(environment).find(
    ([name, value]) => name === '' || name.includes('=') || name.includes('\0') || value.includes('\0'),
  )
  if (unusable === undefined) return success(environment)
  return misconfigured('env', `contains a variable that can't be set: ${JSON.stringify(unusable[0])}`)
}

export function misconfigured(field: string, problem: string): Result<never, LaunchFailure> {
  return failure({ type: 'agent-misconfigured', field, problem })
}
