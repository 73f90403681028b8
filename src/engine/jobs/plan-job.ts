import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { bindingOf, type RoleBindings } from '../../domain/agent/role-binding.ts'
import type { JobLimits, JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import { JOB_DEFAULTS } from '../../domain/limits/job-defaults.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { StartJobRequest } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'providers'>

/** What a job will go by from now on: the request where it says something, else the configuration. */
export function planJob(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
): Result<JobPlan, StartJobFailure> {
  const { agents, roles } = configuration
  const unfit = findUnfit(request, configuration)
  if (unfit !== undefined) return failure(unfit)
  const worker = chooseAgent(agents, 'worker', request.agent ?? firstBound(configuration, 'worker'))
  if (!worker.ok) return worker
  const planner = chooseAgent(agents, 'planner', request.planner ?? firstBound(configuration, 'planner'))
  if (!planner.ok) return planner
  const mode = request.mode ?? configuration.mode ?? 'auto'
  const reviewer = chooseReviewer(configuration, mode)
  if (!reviewer.ok) return reviewer
  const known = needs.providers.list()
  const stranger = agents.find((agent) => !known.includes(agent.provider))
  if (stranger !== undefined) return failure({ type: 'provider-unknown', provider: stranger.provider, known })
  return success({
    agents: withSubstitutes(agents, roles, worker.value.name),
    worker: worker.value.name,
    planner: planner.value.name,
    ...(reviewer.value === undefined ? {} : { reviewer: reviewer.value.name }),
    mode,
    sandbox: configuration.sandbox,
    checks: (request.checks ?? configuration.checks).filter((command) => command.trim() !== ''),
    setup: configuration.setup,
    copy: configuration.copy,
    learnings: configuration.learnings,
    ...(Object.keys(roles).length === 0 ? {} : { roles: openToAll(roles, agents) }),
    limits: limitsOf(request, configuration.limits),
  })
}

/** Who is named for one job must have the role; who is bound to it in the configuration has it by that. */
function findUnfit(request: StartJobRequest, configuration: Configuration): StartJobFailure | undefined {
  for (const [role, name] of [
    ['worker', request.agent],
    ['planner', request.planner],
  ] as const) {
    const named = configuration.agents.find((agent) => agent.name === name)
    const isBound = named !== undefined && bindingOf(configuration.roles, role)?.agents.includes(named.name)
    if (named === undefined || isBound === true || named.roles.includes(role)) continue
    return { type: 'agent-unfit', agent: named.name, role, roles: named.roles }
  }
  return undefined
}

function limitsOf(request: StartJobRequest, limits: Configuration['limits']): JobLimits {
  const { dailyUsd, memoryFloorMb, projectParallel, modelParallel } = limits
  const budgetUsd = request.budgetUsd ?? limits.budgetUsd
  return {
    maxCycles: request.maxCycles ?? limits.maxCycles ?? JOB_DEFAULTS.maxCycles,
    timeLimitMinutes: request.timeLimitMinutes ?? limits.jobMinutes ?? JOB_DEFAULTS.jobMinutes,
    maxParallelTasks: request.maxParallelTasks ?? limits.parallel ?? JOB_DEFAULTS.parallel,
    attemptMinutes: limits.attemptMinutes ?? JOB_DEFAULTS.attemptMinutes,
    maxAttempts: limits.maxAttempts ?? RETRY_LIMITS.taskAttempts,
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(dailyUsd === undefined ? {} : { dailyUsd }),
    ...(memoryFloorMb === undefined ? {} : { memoryFloorMb }),
    ...(projectParallel === undefined ? {} : { projectParallel }),
    ...(modelParallel === undefined ? {} : { modelParallel }),
  }
}

/** In mode `review` somebody has to; before a person decides, only who was named for it. */
function chooseReviewer(
  configuration: Configuration,
  mode: LandingMode,
): Result<AgentSpec | undefined, StartJobFailure> {
  const reviewer = firstBound(configuration, 'reviewer')
  const isWanted = mode === 'review' || (mode === 'approve' && reviewer !== undefined)
  return isWanted ? chooseAgent(configuration.agents, 'reviewer', reviewer) : success(undefined)
}

function firstBound({ roles }: Configuration, role: string): string | undefined {
  return bindingOf(roles, role)?.agents[0]
}

/** A binding that names no agents leaves its role to all of them. */
function openToAll(roles: RoleBindings, agents: readonly AgentSpec[]): RoleBindings {
  const all = agents.map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(roles).map(([role, binding]) => [
      role,
      binding.agents.length === 0 ? { ...binding, agents: all } : binding,
    ]),
  )
}

/** The other agents bound to work take the tasks of the first while it has no quota, unless it names its own. */
function withSubstitutes(
  agents: readonly AgentSpec[],
  roles: RoleBindings,
  worker: string,
): readonly AgentSpec[] {
  const others = bindingOf(roles, 'worker')?.agents.filter((name) => name !== worker) ?? []
  if (others.length === 0) return agents
  return agents.map((agent) =>
    agent.name === worker && agent.fallback === undefined ? { ...agent, fallback: others } : agent,
  )
}

/** The named agent, or the first that has the role. */
function chooseAgent(
  agents: readonly AgentSpec[],
  role: string,
  name: string | undefined,
): Result<AgentSpec, StartJobFailure> {
  const known = agents.map((agent) => agent.name)
  if (name !== undefined) {
    const named = agents.find((agent) => agent.name === name)
    return named === undefined ? failure({ type: 'agent-unknown', agent: name, known }) : success(named)
  }
  const fitting = agents.find((agent) => agent.roles.includes(role))
  return fitting === undefined ? failure({ type: 'agent-absent', role }) : success(fitting)
}
