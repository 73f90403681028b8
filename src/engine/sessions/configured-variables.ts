import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { ProjectId } from '../../domain/id.ts'
import type { ConfigurationFailure, TrustFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { LaunchedAgent } from '../../ports/agent-provider.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readTrusted } from '../trust/read-trusted.ts'

type Needs = Pick<EngineNeeds, 'store' | 'configuration' | 'settings'>

/**
 * Reads the values of an agent's own variables, which are stored nowhere, from the configuration of its project. A
 * variable that is no longer configured is a failure: without it, the agent would work with the wrong settings.
 */
export async function withEnvironment(
  needs: Needs,
  agent: AgentSpec,
  projectId: ProjectId,
): Promise<Result<LaunchedAgent, string>> {
  if (agent.env.length === 0) return success({ ...agent, env: {} })
  const wanted = `the environment of the agent ${agent.name}`
  const project = await needs.store.read.projects.find(projectId)
  if (project === undefined) return failure(`${wanted} cannot be read: its project is gone`)
  const read = await readTrusted(needs, project.path)
  if (!read.ok) return failure(`${wanted} cannot be read: ${whyNot(read.failure)}`)
  const values = read.value.environments[agent.name] ?? {}
  const gone = agent.env.filter((name) => values[name] === undefined)
  if (gone.length > 0) {
    return failure(
      `the configuration no longer sets ${gone.join(', ')} for the agent ${agent.name}. Put it back under \`agents.${agent.name}.env\` in muster.yaml or ~/.config/muster/config.yaml, or start a new job.`,
    )
  }
  // Variables that were added since the job started belong to later jobs.
  return success({ ...agent, env: Object.fromEntries(agent.env.map((name) => [name, values[name] ?? ''])) })
}

function whyNot(failed: ConfigurationFailure | TrustFailure): string {
  if (failed.type === 'configuration-untrusted') {
    return `the configuration of ${failed.repositoryPath} has changed and is not trusted. Run muster trust there.`
  }
  return `${failed.file}: ${failed.field}: ${failed.problem}. Fix the file and try again.`
}
