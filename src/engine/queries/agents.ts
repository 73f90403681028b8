import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { AgentUnready, ConfigurationFailure, ProgramMissing } from '../../domain/job/start-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findUnusableAgent } from '../providers/find-unusable-agent.ts'
import { installedAgents, ownAgents } from '../providers/installed-agents.ts'
import { findSandboxProblem } from '../sessions/start/find-sandbox-problem.ts'
import { readTrusted } from '../trust/read-trusted.ts'

type Needs = Pick<EngineNeeds, 'configuration' | 'providers' | 'settings' | 'store'> &
  Parameters<typeof findSandboxProblem>[0]

/** Whether a configured agent could work now, as far as its program can tell. */
export type AgentUsability =
  | { readonly type: 'usable' }
  | { readonly type: 'unusable'; readonly cause: ProgramMissing | AgentUnready }

/** The agents that are configured for a repository. */
export type AgentsView = Pick<Configuration, 'agents' | 'checks' | 'roles' | 'sandbox'> & {
  /** By the agent's name. Agents that weren't checked are missing. */
  readonly usability: ReadonlyMap<string, AgentUsability>
  /** Why no session could start in its sandbox, if that was tried. */
  readonly sandboxProblem?: string
}

/**
 * The configuration of a repository, with the installed programs, which are agents without configuration. Checking the
 * configured agents starts their programs, which takes a while.
 */
export async function listAgents(
  needs: Needs,
  { repositoryPath, withUsability }: { readonly repositoryPath: string; readonly withUsability: boolean },
): Promise<Result<AgentsView, ConfigurationFailure>> {
  const read = await needs.configuration.read(repositoryPath)
  if (!read.ok) return read
  const { agents, sandbox } = read.value
  // Variables from a file that nobody may have trusted play no part: only the programs' places matter.
  const installed = await installedAgents(needs, agents, { environments: {}, repositoryPath })
  const level = needs.settings.sandboxLevel ?? sandbox.level
  const view = {
    ...read.value,
    agents: [...ownAgents(agents), ...installed],
    sandbox: { ...sandbox, level },
    usability: new Map(),
  }
  if (!withUsability) return success(view)
  const [usability, sandboxProblem] = await Promise.all([
    checkAgents(needs, repositoryPath, agents),
    findSandboxProblem(needs, view),
  ])
  return success({ ...view, usability, ...(sandboxProblem === undefined ? {} : { sandboxProblem }) })
}

/**
 * Starts nothing that only an untrusted file names: without trust, only the agents in the person's own file are
 * checked. No repository is at the root, so the configuration there is the person's own.
 */
async function checkAgents(
  needs: Needs,
  repositoryPath: string,
  agents: readonly AgentSpec[],
): Promise<ReadonlyMap<string, AgentUsability>> {
  const whole = await readTrusted(needs, repositoryPath)
  const trusted = whole.ok ? whole : await readTrusted(needs, '/')
  if (!trusted.ok) return new Map()
  const { environments } = trusted.value
  const digests = new Set(trusted.value.agents.map(canonicalDigest))
  const checked = agents
    .filter((agent) => digests.has(canonicalDigest(agent)) && needs.providers.get(agent.provider))
    .map(async (agent): Promise<[string, AgentUsability]> => {
      const cause = await findUnusableAgent(needs, [agent], { environments, repositoryPath })
      return [agent.name, cause === undefined ? { type: 'usable' } : { type: 'unusable', cause }]
    })
  return new Map(await Promise.all(checked))
}
