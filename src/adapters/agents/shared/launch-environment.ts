import type { LaunchRequest } from '../../../ports/agent-provider.ts'

/** The attempt's environment with the agent's own over it; the MUSTER_ names are not the agent's to set. */
export function launchEnvironment(request: LaunchRequest): Readonly<Record<string, string>> {
  const own = Object.entries(request.agent.env).filter(([name]) => !name.startsWith('MUSTER_'))
  return { ...request.environment, ...Object.fromEntries(own) }
}

/** The name of a variable that no process can be started with, if there is one. */
export function findUnusableVariable(environment: Readonly<Record<string, string>>): string | undefined {
  const entry = Object.entries(environment).find(
    ([name, value]) => name === '' || name.includes('=') || name.includes('\0') || value.includes('\0'),
  )
  return entry?.[0]
}
