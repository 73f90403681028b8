import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { USUAL_ROLES } from '../../domain/agent/built-in-roles.ts'
import { READY_MADE } from '../../domain/agent/ready-made.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type AgentPlace, isInstalled } from './find-unusable-agent.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings'>

/**
 * An agent for each installed program, unless the configuration has an agent of that name. The default comes first. The
 * configuration may add settings to a program, which don't change its place. The programs of `expected` providers are
 * treated as installed.
 */
export async function installedAgents(
  needs: Needs,
  configured: readonly AgentSpec[],
  place: AgentPlace,
  expected: readonly string[] = [],
): Promise<readonly AgentSpec[]> {
  const preferred = needs.providers.getDefault().providerId
  const taken = new Set(ownAgents(configured).map(({ name }) => name))
  const agents = READY_MADE.toSorted((one, two) => preference(two, preferred) - preference(one, preferred))
    .filter(({ name }) => !taken.has(name))
    .map((program) => withSettings(program, configured))
  const found = await Promise.all(agents.map((agent) => isInstalled(needs, agent, place)))
  return agents.filter(({ provider }, index) => found[index] || expected.includes(provider))
}

/** The configured agents without those that only add settings to an installed program. */
export function ownAgents(configured: readonly AgentSpec[]): readonly AgentSpec[] {
  return configured.filter(({ isReadyMade = false }) => !isReadyMade)
}

function withSettings(
  program: Pick<AgentSpec, 'name' | 'provider'>,
  configured: readonly AgentSpec[],
): AgentSpec {
  const { isReadyMade: _, ...settings } =
    configured.find(({ name }) => name === program.name) ?? agentOf(program)
  return settings
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
