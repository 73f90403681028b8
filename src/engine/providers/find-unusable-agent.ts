import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { Unready } from '../../domain/agent/unready.ts'
import type { AgentUnready, ProgramMissing } from '../../domain/job/start-failure.ts'
import type { AgentProvider, LaunchRequest } from '../../ports/agent-provider.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findHomeProblem } from './find-home-problem.ts'
import { variablesOf } from './variables-of.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings' | 'disk'>
export type AgentPlace = Pick<Configuration, 'environments'> & { readonly repositoryPath: string }

/**
 * The first of these agents whose program isn't installed or certainly can't work now. Asked before anything starts,
 * because otherwise the planner would be paid before the worker's program turns out to be missing or not logged in.
 * What a program can't tell in advance is judged when a session runs.
 */
export async function findUnusableAgent(
  needs: Needs,
  agents: readonly AgentSpec[],
  place: AgentPlace,
): Promise<ProgramMissing | AgentUnready | undefined> {
  const found = await Promise.all(
    agents.map(async (agent) => {
      const provider = needs.providers.get(agent.provider)
      if (provider === undefined) return undefined
      const request = requestFor(needs, provider, agent, place)
      return (await findMissing(provider, request)) ?? (await findUnready(needs, provider, request))
    }),
  )
  return found.find((failed) => failed !== undefined)
}

/** Whether the program of an agent is installed. */
export async function isInstalled(
  needs: Pick<Needs, 'providers' | 'settings'>,
  agent: AgentSpec,
  place: AgentPlace,
): Promise<boolean> {
  const provider = needs.providers.get(agent.provider)
  if (provider === undefined) return false
  return (await findMissing(provider, requestFor(needs, provider, agent, place))) === undefined
}

/** Planning starts nothing, so a plan without a session shows whether the program is installed. */
async function findMissing(
  provider: AgentProvider,
  request: LaunchRequest,
): Promise<ProgramMissing | undefined> {
  const planned = await provider.plan(request)
  if (planned.ok || planned.failure.type !== 'program-missing') return undefined
  const { program, install } = planned.failure
  return { type: 'program-missing', agent: request.agent.name, program, install }
}

async function findUnready(
  needs: Needs,
  provider: AgentProvider,
  request: LaunchRequest,
): Promise<AgentUnready | undefined> {
  const unready =
    (await findHomeProblem(needs, provider, request.treeDirectory)) ?? (await askProgram(provider, request))
  if (unready === undefined) return undefined
  const { name, provider: providerId } = request.agent
  return { type: 'agent-unready', agent: name, provider: providerId, ...unready }
}

async function askProgram(provider: AgentProvider, request: LaunchRequest): Promise<Unready | undefined> {
  const readiness = await provider.readiness?.(request)
  if (readiness?.type !== 'unready') return undefined
  const { type: _, ...unready } = readiness
  return unready
}

function requestFor(
  { settings }: Pick<Needs, 'settings'>,
  provider: AgentProvider,
  agent: AgentSpec,
  { environments, repositoryPath }: AgentPlace,
): LaunchRequest {
  return {
    agent: { ...agent, env: environments[agent.name] ?? {} },
    role: agent.roles[0] ?? '',
    sessionDirectory: settings.treesDirectory,
    promptFile: settings.treesDirectory,
    treeDirectory: repositoryPath,
    environment: { ...settings.passedEnvironment, ...settings.credentialsOf(variablesOf(provider)) },
    mode: 'headless',
    permissions: 'ask',
  }
}
