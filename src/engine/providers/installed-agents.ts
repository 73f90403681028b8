import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { USUAL_ROLES } from '../../domain/agent/built-in-roles.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type AgentPlace, isInstalled } from './find-unusable-agent.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings'>

/** Programs that are agents without configuration once they are installed, in order of preference. */
export const READY_MADE: readonly Pick<AgentSpec, 'name' | 'provider'>[] = [
  { name: 'claude', provider: 'claude-code' },
  { name: 'codex', provider: 'codex' },
  { name: 'opencode', provider: 'opencode' },
  { name: 'gemini', provider: 'gemini' },
]

/** An agent for each installed program, unless the configuration has an agent of that name. The default comes first. */
export async function installedAgents(
  needs: Needs,
  configured: readonly AgentSpec[],
  place: AgentPlace,
): Promise<readonly AgentSpec[]> {
  const preferred = needs.providers.getDefault().providerId
  const taken = new Set(configured.map(({ name }) => name))
  const agents = READY_MADE.toSorted((one, two) => preference(two, preferred) - preference(one, preferred))
    .filter(({ name }) => !taken.has(name))
    .map((program) => agentOf(program))
  const found = await Promise.all(agents.map((agent) => isInstalled(needs, agent, place)))
  return agents.filter((_, index) => found[index])
}

/** The agent that a program becomes once it is installed, by its name; undefined for any other name. */
export function readyMadeAgent(name: string): AgentSpec | undefined {
  const found = READY_MADE.find((agent) => agent.name === name)
  return found && agentOf(found)
}

function agentOf(program: Pick<AgentSpec, 'name' | 'provider'>): AgentSpec {
  return { ...program, roles: USUAL_ROLES, env: [] }
}

/** The agent that a request means: people may also name an installed program by its provider (`claude-code`). */
export function agentNamed(agents: readonly AgentSpec[], name: string): string {
  if (agents.some((agent) => agent.name === name)) return name
  return READY_MADE.find(({ provider }) => provider === name)?.name ?? name
}

function preference({ provider }: Pick<AgentSpec, 'provider'>, preferred: string): number {
  return provider === preferred ? 1 : 0
}
