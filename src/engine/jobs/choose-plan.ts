import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import type { Result } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { chooseUsable } from '../providers/choose-usable.ts'
import { agentNamed } from '../providers/installed-agents.ts'
import type { StartJobRequest } from './job-commands.ts'
import { planJob } from './plan-job.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'roles' | 'settings'>

/** Plans a job with the configured agents and the installed programs, as far as they can work. */
export function choosePlan(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
  repositoryPath: string,
): Promise<Result<JobPlan, StartJobFailure>> {
  const { environments } = configuration
  return chooseUsable<JobPlan, StartJobFailure>(
    needs,
    configuration.agents,
    { environments, repositoryPath },
    {
      choose: (agents) => planJob(needs, withNames(request, agents), { ...configuration, agents }),
      agentsIn,
      isNamed: (name) => isNamed(name, request, configuration),
    },
  )
}

function withNames(request: StartJobRequest, agents: readonly AgentSpec[]): StartJobRequest {
  const { agent, planner } = request
  const named = {
    agent: agent === undefined ? undefined : agentNamed(agents, agent),
    planner: planner === undefined ? undefined : agentNamed(agents, planner),
  }
  return { ...request, ...withoutUndefined(named) }
}

/** Whether the person asked for this agent, for this job or in the configuration. */
function isNamed(name: string, { agent, planner }: StartJobRequest, { roles }: Configuration): boolean {
  const requested = [agent, planner].flatMap((one) => (one === undefined ? [] : [agentNamed([], one)]))
  const bound = Object.values(roles).flatMap(({ agents }) => agents)
  return [...requested, ...bound].includes(name)
}

/** The agents that the job starts with. Its fallbacks may be installed later. */
function agentsIn({ agents, worker, workers = [], planner, reviewer }: JobPlan): readonly AgentSpec[] {
  return agents.filter(({ name }) => [worker, ...workers, planner, reviewer].includes(name))
}
