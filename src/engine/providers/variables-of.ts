import type { AgentProvider } from '../../ports/agent-provider.ts'

/** The names of the daemon's variables that a provider's program gets, besides those that every program gets. */
export function variablesOf({
  credentials,
  homeVariable,
}: Pick<AgentProvider, 'credentials' | 'homeVariable'>): readonly string[] {
  return homeVariable === undefined ? credentials : [...credentials, homeVariable]
}
