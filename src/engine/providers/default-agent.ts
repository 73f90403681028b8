import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** Programs that work as they are installed, without a line of configuration; first choice first. */
const READY_MADE = ['claude-code', 'codex', 'opencode', 'gemini']

/**
 * The configured agents, and, where none of them works, one for the first agent program that is installed: the
 * registry's default before all others. Models that plan or review do not work.
 */
export async function agentsOrDefault(
  needs: Pick<EngineNeeds, 'providers'>,
  configured: readonly AgentSpec[],
): Promise<readonly AgentSpec[]> {
  if (configured.some(({ roles }) => roles.includes('worker'))) return configured
  const names = new Set([needs.providers.getDefault().providerId, ...READY_MADE])
  for (const name of names) {
    if (!READY_MADE.includes(name)) continue
    const provider = needs.providers.get(name)
    const availability = await provider?.availability()
    if (availability?.type === 'available') {
      return [...configured, { name, provider: name, roles: ['worker', 'planner'], env: {} }]
    }
  }
  return configured
}
