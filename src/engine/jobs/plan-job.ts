import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { chooseAgent } from '../../domain/agent/choose-agent.ts'
import { bindingOf, type RoleBindings } from '../../domain/agent/role-binding.ts'
import { castFor } from '../../domain/job/cast-for.ts'
import type { JobLimits, JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import { JOB_DEFAULTS } from '../../domain/limits/job-defaults.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { landsUnreviewed } from '../../domain/playbook/lands-unreviewed.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Cast } from '../../domain/run/cast.ts'
import { bindFamily, castFamily } from '../../domain/run/cast-family.ts'
import { childHashes } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { chooseUsable, passedOverOf, type Unusable } from '../providers/choose-usable.ts'
import { agentNamed } from '../providers/installed-agents.ts'
import { chooseReviewer, isReplaceable, type ReviewerChoice } from './choose-reviewer.ts'
import type { StartJobRequest } from './job-commands.ts'
import { withPlaybook } from './plan-run.ts'
import type { ChosenPlaybook } from './read-playbook.ts'
import { castsOf, taskCasts, withReadySubstitutes, withUnready } from './ready-substitutes.ts'
import { modeOf } from './review-by-playbook.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings' | 'disk'>

type PlannedFor = {
  readonly repositoryPath: string
  /** The playbook that works on the goal, without a planner. */
  readonly playbook: ChosenPlaybook | undefined
  /** The playbook that works on the planner's tasks. */
  readonly taskPlaybook: ChosenPlaybook | undefined
  /** The playbook in which a reviewer judges the work on all other tasks. Given if the job reviews everything. */
  readonly reviews?: ChosenPlaybook | undefined
}

/** Plans a job with the configured agents and the installed programs, as far as they can work. */
export async function planJob(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
  { repositoryPath, playbook, taskPlaybook, reviews }: PlannedFor,
): Promise<Result<JobPlan, StartJobFailure>> {
  const { environments, roles } = configuration
  const place = { environments, repositoryPath }
  const castsIn = (plan: JobPlan) => [
    ...castsOf(plan),
    ...taskCasts(plan, taskPlaybook),
    ...taskCasts(plan, reviews),
  ]
  const chosen = await chooseUsable<JobPlan, StartJobFailure>(needs, configuration.agents, place, {
    choose: (agents, passedOver) => {
      const unknown = findUnknown(playbook, agents)
      if (unknown !== undefined) return failure(unknown)
      const out = namesOf(passedOver)
      const roles = playbook === undefined ? configuration.roles : rolesWithout(configuration.roles, out)
      const unlisted = namesBeyond(agents, configuration.agents)
      const isPlanned = playbook === undefined
      const { agents: configured } = configuration
      const choice = { agents, configured, roles, passedOver: out, isPlanned, unlisted }
      const usable = { ...configuration, agents, roles }
      const plan = planWith(needs, withNames(request, agents), usable, choice)
      if (!plan.ok) return plan
      const ready = agents.filter(({ name }) => !out.includes(name))
      const planned =
        playbook === undefined
          ? withTaskPlaybooks(withUnready(plan.value, out), taskPlaybook, reviews)
          : withPlaybook(plan.value, playbook, { agents: ready, roles, unlisted })
      return planned.ok ? success({ ...planned.value, ...passedOverOf(passedOver) }) : planned
    },
    agentsIn: (plan) => agentsIn(plan, castsIn(plan)),
    isNamed: (name) => isNamed(name, request, configuration),
    neverSkip: request.neverSkip,
    isReplaceable: (name, plan, passedOver) =>
      isInCastOnly(name, plan, castsIn(plan), request) ||
      isReplaceable({ configured: configuration.agents, roles, passedOver: namesOf(passedOver) }, plan, name),
  })
  return chosen.ok ? success(await withReadySubstitutes(needs, chosen.value, place, castsIn)) : chosen
}

/** Another agent of its role may take the part of an agent in a playbook, unless the person asked for this one. */
function isInCastOnly(
  name: string,
  { approach, worker, workers = [], planner, reviewer }: JobPlan,
  casts: readonly Cast[],
  { agent }: StartJobRequest,
): boolean {
  if (agent !== undefined && agentNamed([], agent) === name) return false
  const isCast = casts.some((cast) => Object.values(cast).some(([first]) => first?.agent === name))
  return isCast && (approach !== undefined || ![worker, ...workers, planner, reviewer].includes(name))
}

/** The plan of a job whose tasks follow playbooks, if its agents can take the roles. */
function withTaskPlaybooks(
  plan: JobPlan,
  chosen: ChosenPlaybook | undefined,
  reviews: ChosenPlaybook | undefined,
): Result<JobPlan, StartJobFailure> {
  let planned = plan
  for (const [field, playbook] of Object.entries({ reviews, taskPlaybook: chosen })) {
    if (playbook === undefined) continue
    const { folder, children, from, inputs } = playbook
    const { name } = folder.playbook
    const cast = castFamily({ ...folder, children }, castFor(planned))
    if (!cast.ok) return cast
    if (plan.reviewer !== undefined && landsUnreviewed(folder.playbook)) {
      return failure({ type: 'playbook-unreviewed', name })
    }
    const hashes = childHashes(children.map((child) => ({ hash: child.hash, name: child.playbook.name })))
    const followed = { name, hash: folder.hash, inputs, ...hashes, ...withoutUndefined({ from }) }
    planned = { ...planned, [field]: followed, roles: bindFamily(planned, cast.value) }
  }
  return success(planned)
}

/** An agent that the person named for a role of the playbook, but that doesn't exist. */
function findUnknown(
  playbook: ChosenPlaybook | undefined,
  agents: readonly AgentSpec[],
): StartJobFailure | undefined {
  const known = agents.map(({ name }) => name)
  const agent = playbook?.named?.find((name) => !known.includes(name))
  return agent === undefined ? undefined : { type: 'agent-unknown', agent, known }
}

/** The installed programs. The configuration may have settings for them, but doesn't list them as agents. */
function namesBeyond(agents: readonly AgentSpec[], configured: readonly AgentSpec[]): readonly string[] {
  return agents.filter((one) => !configured.includes(one)).map(({ name }) => name)
}

/** Roles that are bound to several agents keep those that can work. */
function rolesWithout(roles: RoleBindings, out: readonly string[]): RoleBindings {
  const entries = Object.entries(roles).map(([role, binding]) => {
    const left = binding.agents.filter((name) => !out.includes(name))
    return [role, left.length === 0 ? binding : { ...binding, agents: left }]
  })
  return Object.fromEntries(entries)
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
function agentsIn(
  { agents, worker, workers = [], planner, reviewer, approach }: JobPlan,
  casts: readonly Cast[],
): readonly AgentSpec[] {
  const first = casts.flatMap((cast) => Object.values(cast).map(([member]) => member?.agent))
  const own = approach === undefined ? [worker, ...workers, planner, reviewer] : []
  return agents.filter(({ name }) => [...first, ...own].includes(name))
}

type PlanChoice = ReviewerChoice & {
  /** Whether the job has a planner. */
  readonly isPlanned: boolean
  readonly unlisted: readonly string[]
}

/** The settings that a job keeps to its end: those of the request, and otherwise those of the configuration. */
function planWith(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
  choice: PlanChoice,
): Result<JobPlan, StartJobFailure> {
  const { agents, roles } = configuration
  const worker = chooseAgent({ agents, roles, role: ROLE_FOR.task, requested: request.agent })
  if (!worker.ok) return worker
  const planner = choice.isPlanned
    ? choosePlanner(request, configuration, worker.value)
    : success<AgentSpec | undefined>(undefined)
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
    ...(choice.unlisted.length === 0 ? {} : { unlisted: choice.unlisted }),
    worker: worker.value.name,
    ...(request.agent === undefined && workers.length > 1 ? { workers } : {}),
    ...(planner.value === undefined ? {} : { planner: planner.value.name }),
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

function choosePlanner(
  request: StartJobRequest,
  { agents, roles }: Configuration,
  worker: AgentSpec,
): Result<AgentSpec, StartJobFailure> {
  const requested = request.planner ?? plannerLike(worker, request, roles)
  return chooseAgent({ agents, roles, role: ROLE_FOR.discovery, requested })
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
