import { ROLE_FOR } from '../agent/built-in-roles.ts'
import type { RoleBindings } from '../agent/role-binding.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Result } from '../result.ts'
import type { Cast } from '../run/cast.ts'
import { type CastFailure, chooseCast } from '../run/choose-cast.ts'
import type { JobPlan } from './job.ts'

type Plan = Pick<JobPlan, 'agents' | 'roles' | 'worker' | 'workers' | 'reviewer' | 'unready' | 'unlisted'>

/**
 * Casts playbooks that work on a task of a planner. The agents that do the job's tasks and that review them are the first
 * choice for these roles in a playbook, too.
 */
export function castFor(
  plan: Plan,
  /** The agent that is to do the task. */
  worker: string = plan.worker,
): (playbook: Pick<Playbook, 'roles'>) => Result<Cast, CastFailure> {
  const { agents, unready = [], unlisted = [] } = plan
  const ready = agents.filter(({ name }) => name === worker || !unready.includes(name))
  const company = { agents: ready, roles: rolesOf(plan, worker), unlisted }
  return (playbook) => chooseCast(playbook, company)
}

function rolesOf(
  { agents, roles = {}, worker: first, workers = [], reviewer }: Plan,
  worker: string,
): RoleBindings {
  const fallback = agents.find(({ name }) => name === worker)?.fallback ?? []
  const doers = [...new Set([worker, first, ...workers, ...fallback])]
  const judges = reviewer === undefined ? [] : [reviewer]
  const bound = { ...roles, [ROLE_FOR.task]: { ...roles[ROLE_FOR.task], agents: doers } }
  return judges.length === 0
    ? bound
    : { ...bound, [ROLE_FOR.review]: { ...roles[ROLE_FOR.review], agents: judges } }
}
