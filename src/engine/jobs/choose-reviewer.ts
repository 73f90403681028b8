import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { chooseAgent } from '../../domain/agent/choose-agent.ts'
import { isOtherFamily, likenessOf } from '../../domain/agent/model-family.ts'
import { READY_MADE } from '../../domain/agent/ready-made.ts'
import { bindingOf, type RoleBindings } from '../../domain/agent/role-binding.ts'
import type { JobPlan } from '../../domain/job/job.ts'
import type { AgentChoiceFailure } from '../../domain/job/start-failure.ts'
import type { LandingMode } from '../../domain/landing/landing-mode.ts'
import { type Result, success } from '../../domain/result.ts'

export type ReviewerChoice = {
  /** The configured agents and the installed programs. */
  readonly agents: readonly AgentSpec[]
  readonly configured: readonly AgentSpec[]
  readonly roles: RoleBindings
  /** The names of agents that can't work now. */
  readonly passedOver: readonly string[]
}

const ROLE = ROLE_FOR.review

/** Mode `review` needs a reviewer. In mode `approve`, only an agent that is bound to the role reviews. */
export function reviewsEverything(mode: LandingMode, roles: RoleBindings): boolean {
  return mode === 'review' || (mode === 'approve' && boundReviewers(roles).length > 0)
}

export function chooseReviewer(
  choice: ReviewerChoice,
  mode: LandingMode,
  worker: AgentSpec,
): Result<AgentSpec | undefined, AgentChoiceFailure> {
  const { agents, roles } = choice
  if (!reviewsEverything(mode, roles)) return success(undefined)
  const bound = boundReviewers(roles)
  const names = bound.length > 0 ? bound : namesByPreference(choice, worker)
  return chooseAgent({ agents, roles: { ...roles, [ROLE]: { ...roles[ROLE], agents: names } }, role: ROLE })
}

/**
 * A model is not the best judge of its own work, so another model family than the worker's comes first, and then another
 * program. Agents that list the role come before others, except for the worker itself.
 *
 * `chooseCast` doesn't decide this: it lets a worker that lists the role review its own work rather than a program of
 * the same family, and any agent review, not only those whose programs can.
 */
function namesByPreference(
  { agents, configured, passedOver }: ReviewerChoice,
  worker: AgentSpec,
): readonly string[] {
  const usable = agents.filter(({ name }) => !passedOver.includes(name))
  const listed = usable.filter(listsReview)
  const able = usable.filter(
    (agent) =>
      agent.roles.length > 0 &&
      READY_MADE.some(({ provider }) => provider === agent.provider) &&
      // A configuration that gives the role to somebody doesn't mean programs that it doesn't mention.
      (listed.length === 0 || configured.includes(agent)),
  )
  const isOther = (agent: AgentSpec) => agent.provider !== worker.provider || isOtherFamily(agent, worker)
  const byLikeness = (one: AgentSpec, two: AgentSpec) => likenessOf(one, worker) - likenessOf(two, worker)
  const rest = listed.length === 0 ? able : listed
  const preferred = [
    ...listed.filter(({ name }) => name !== worker.name).toSorted(byLikeness),
    ...able.filter(isOther).toSorted(byLikeness),
    ...rest.filter(({ name }) => name === worker.name),
    ...rest,
  ]
  return [...new Set(preferred.map(({ name }) => name))]
}

/**
 * Whether another agent may review instead of this one. The last agent to which the configuration gives the role can't be
 * replaced.
 */
export function isReplaceable(
  { configured, roles, passedOver }: Omit<ReviewerChoice, 'agents'>,
  { worker, workers = [], planner, reviewer }: JobPlan,
  agent: string,
): boolean {
  const isNeeded = [worker, ...workers, planner, ...boundReviewers(roles)].includes(agent)
  if (agent !== reviewer || isNeeded) return false
  const listed = configured.filter(listsReview).map(({ name }) => name)
  return !listed.includes(agent) || listed.some((name) => name !== agent && !passedOver.includes(name))
}

function listsReview({ roles }: AgentSpec): boolean {
  return roles.includes(ROLE)
}

function boundReviewers(roles: RoleBindings): readonly string[] {
  return bindingOf(roles, ROLE)?.agents ?? []
}
