import type { ConfigurationFailure } from '../../domain/job/start-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { installedAgents } from '../providers/installed-agents.ts'

type Needs = Pick<EngineNeeds, 'configuration' | 'providers' | 'settings'>

/** The configuration of a repository, with the installed programs, which are agents without configuration. */
export async function listAgents(
  needs: Needs,
  repositoryPath: string,
): Promise<Result<Configuration, ConfigurationFailure>> {
  const read = await needs.configuration.read(repositoryPath)
  if (!read.ok) return read
  const { agents, sandbox } = read.value
  // Variables from a file that nobody may have trusted play no part: only the programs' places matter.
  const installed = await installedAgents(needs, agents, { environments: {}, repositoryPath })
  const level = needs.settings.sandboxLevel ?? sandbox.level
  return success({ ...read.value, agents: [...agents, ...installed], sandbox: { ...sandbox, level } })
}
