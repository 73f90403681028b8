import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { chooseAgent } from '../../domain/agent/choose-agent.ts'
import { bindingOf, type RoleBindings } from '../../domain/agent/role-binding.ts'
import { bindFamily, castFamily } from '../../domain/job/cast-for.ts'
import type { JobLimits, JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import { JOB_DEFAULTS } from '../../domain/limits/job-defaults.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { landsUnreviewed } from '../../domain/playbook/lands-unreviewed.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { bindCast } from '../../domain/run/bind-cast.ts'
import { type Company, chooseCast } from '../../domain/run/choose-cast.ts'
import type { ChildPlaybooks } from '../../domain/run/run.ts'
import { childHashes } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { chooseUsable, passedOverOf, type Unusable } from '../providers/choose-usable.ts'
import { agentNamed } from '../providers/installed-agents.ts'
import { chooseReviewer, isReplaceable, type ReviewerChoice } from './choose-reviewer.ts'
import type { StartJobRequest } from './job-commands.ts'
import type { ChosenPlaybook } from './read-playbook.ts'
import { modeOf } from './review-by-playbook.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings' | 'disk'>

type PlannedFor = {
  readonly repositoryPath: string
  /** The playbook that works on the goal, without a planner. */
  readonly playbook: ChosenPlaybook | undefined
  /** The playbook that works on the planner's tasks. */
  readonly taskPlaybook: ChosenPlaybook | undefined
}

/** Plans a job with the configured agents and the installed programs, as far as they can work. */
export function planJob(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
  { repositoryPath, playbook, taskPlaybook }: PlannedFor,
): Promise<Result<JobPlan, StartJobFailure>> {
  const { environments, roles } = configuration
  return chooseUsable<JobPlan, StartJobFailure>(
    needs,
    configuration.agents,
    { environments, repositoryPath },
    {
      choose: (agents, passedOver) => {
        const choice = { agents, configured: configuration.agents, roles, passedOver: namesOf(passedOver) }
        const usable = { ...configuration, agents }
        const plan = planWith(needs, withNames(request, agents), usable, choice)
        if (!plan.ok) return plan
        const unmentioned = agents
          .filter((one) => !configuration.agents.includes(one))
          .map(({ name }) => name)
        const planned =
          taskPlaybook === undefined
            ? withPlaybook(plan.value, playbook, { agents, roles, unmentioned })
            : withTaskPlaybook(plan.value, taskPlaybook)
        return planned.ok ? success({ ...planned.value, ...passedOverOf(passedOver) }) : planned
      },
      agentsIn,
      isNamed: (name) => isNamed(name, request, configuration),
      neverSkip: request.neverSkip,
      isReplaceable: (name, plan, passedOver) =>
        isReplaceable(
          { configured: configuration.agents, roles, passedOver: namesOf(passedOver) },
          plan,
          name,
        ),
    },
  )
}

/** The plan of a job that follows a playbook: its roles are cast, and there is no planner. */
function withPlaybook(
  plan: JobPlan,
  chosen: ChosenPlaybook | undefined,
  company: Company,
): Result<JobPlan, StartJobFailure> {
  if (chosen === undefined) return success(plan)
  const { folder, from, inputs } = chosen
  const { name } = folder.playbook
  const cast = chooseCast(folder.playbook, company)
  if (!cast.ok) return failure({ ...cast.failure, name })
  const children = castChildren(chosen, company)
  if (!children.ok) return children
  const { planner: _, reviewer: __, ...others } = plan
  const casts = [cast.value, ...Object.values(children.value).map((child) => child.cast)]
  const roles = casts.reduce((bound, one) => bindCast(bound, plan.agents, one), plan.roles ?? {})
  return success({
    ...others,
    approach: {
      type: 'run',
      playbook: { name, hash: folder.hash },
      ...(from === undefined ? {} : { from }),
      inputs,
      cast: cast.value,
      ...(Object.keys(children.value).length === 0 ? {} : { children: children.value }),
    },
    roles,
  })
}

/** Who takes the roles of the playbooks that stages follow. If nobody can take one of them, nothing starts. */
function castChildren(
  { children }: ChosenPlaybook,
  company: Company,
): Result<ChildPlaybooks, StartJobFailure> {
  const chosen: Record<string, ChildPlaybooks[string]> = {}
  for (const { playbook, hash } of children) {
    const cast = chooseCast(playbook, company)
    if (!cast.ok) return failure({ ...cast.failure, name: playbook.name })
    chosen[playbook.name] = { hash, cast: cast.value }
  }
  return success(chosen)
}

/** The plan of a job whose planner's tasks follow a playbook, if its agents can take the roles. */
function withTaskPlaybook(
  plan: JobPlan,
  { folder, children, from, inputs }: ChosenPlaybook,
): Result<JobPlan, StartJobFailure> {
  const { name } = folder.playbook
  const cast = castFamily(plan, { ...folder, children })
  if (!cast.ok) return cast
  if (plan.reviewer !== undefined && landsUnreviewed(folder.playbook)) {
    return failure({ type: 'playbook-unreviewed', name })
  }
  const hashes = childHashes(children.map(({ hash, playbook }) => ({ hash, name: playbook.name })))
  return success({
    ...plan,
    taskPlaybook: { name, hash: folder.hash, inputs, ...hashes, ...(from === undefined ? {} : { from }) },
    roles: bindFamily(plan, cast.value),
  })
}

function namesOf(unusable: readonly Unusable[]): readonly string[] {
  return unusable.map(({ agent }) => agent)
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
function agentsIn({
  agents,
  worker,
  workers = [],
  planner,
  reviewer,
  approach,
}: JobPlan): readonly AgentSpec[] {
  if (approach !== undefined) {
    const casts = [approach.cast, ...Object.values(approach.children ?? {}).map(({ cast }) => cast)]
    const first = casts.flatMap((cast) => Object.values(cast).map(([member]) => member?.agent))
    return agents.filter(({ name }) => first.includes(name))
  }
  return agents.filter(({ name }) => [worker, ...workers, planner, reviewer].includes(name))
}

/** The settings that a job keeps to its end: those of the request, and otherwise those of the configuration. */
function planWith(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
  choice: ReviewerChoice,
): Result<JobPlan, StartJobFailure> {
  const { agents, roles } = configuration
  const worker = chooseAgent({ agents, roles, role: ROLE_FOR.task, requested: request.agent })
  if (!worker.ok) return worker
  const requested = request.planner ?? plannerLike(worker.value, request, roles)
  const planner = chooseAgent({ agents, roles, role: ROLE_FOR.discovery, requested })
  if (!planner.ok) return planner
  const mode = modeOf(request, configuration)
  const reviewer = chooseReviewer(choice, mode, worker.value)
  if (!reviewer.ok) return reviewer
  const known = needs.providers.list()
  const stranger = agents.find((agent) => !known.includes(agent.provider))
  if (stranger !== undefined) return failure({ type: 'provider-unknown', provider: stranger.provider, known })
  const workers = boundTo(configuration, ROLE_FOR.task)
  return success({
    agents: withSubstitutes(agents, workers, worker.value.name),
    worker: worker.value.name,
    ...(request.agent === undefined && workers.length > 1 ? { workers } : {}),
    planner: planner.value.name,
    ...(reviewer.value === undefined ? {} : { reviewer: reviewer.value.name }),
    mode,
    failingBase: request.failingBase ?? configuration.failingBase ?? 'ask',
    sandbox: configuration.sandbox,
    checks: (request.checks ?? configuration.checks).filter((command) => command.trim() !== ''),
    setup: configuration.setup,
    copy: configuration.copy,
    learnings: configuration.learnings,
    taskList: configuration.taskList,
    ...rolesOf(roles, reviewer.value),
    limits: limitsOf(request, configuration.limits),
  })
}

/** An agent that was asked for also plans, unless the configuration says who does. */
function plannerLike(worker: AgentSpec, { agent }: StartJobRequest, roles: RoleBindings): string | undefined {
  const role = ROLE_FOR.discovery
  const isBound = (bindingOf(roles, role)?.agents ?? []).length > 0
  return agent !== undefined && !isBound && worker.roles.includes(role) ? worker.name : undefined
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

/** A reviewer that the configuration doesn't name gets the role for this job. */
function rolesOf(roles: RoleBindings, reviewer: AgentSpec | undefined): Pick<JobPlan, 'roles'> {
  const role = ROLE_FOR.review
  const { agents, ...binding } = roles[role] ?? { agents: [] }
  const isKnown = reviewer === undefined || reviewer.roles.includes(role) || agents.includes(reviewer.name)
  if (isKnown) return Object.keys(roles).length === 0 ? {} : { roles }
  return { roles: { ...roles, [role]: { ...binding, agents: [...agents, reviewer.name] } } }
}

function boundTo({ roles }: Configuration, role: string): readonly string[] {
  return bindingOf(roles, role)?.agents ?? []
}

/** The other agents bound to do tasks are the worker's fallback, unless the worker has its own. */
function withSubstitutes(
  agents: readonly AgentSpec[],
  workers: readonly string[],
  worker: string,
): readonly AgentSpec[] {
  const others = workers.filter((name) => name !== worker)
  if (others.length === 0) return agents
  return agents.map((agent) =>
    agent.name === worker && agent.fallback === undefined ? { ...agent, fallback: others } : agent,
  )
}
