import { ROLE_FOR } from '../agent/built-in-roles.ts'
import type { RoleBindings } from '../agent/role-binding.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { failure, type Result, success } from '../result.ts'
import { bindCast } from '../run/bind-cast.ts'
import type { Cast } from '../run/cast.ts'
import { type CastFailure, chooseCast } from '../run/choose-cast.ts'
import type { ChildPlaybooks } from '../run/run.ts'
import type { JobPlan } from './job.ts'

type Plan = Pick<JobPlan, 'agents' | 'roles' | 'worker' | 'workers' | 'reviewer' | 'unready'>

/**
 * Who takes each role of a playbook that works on a task of a planner. The agents that do the job's tasks and that
 * review them are the first choice for these roles in a playbook, too.
 */
function castFor(
  plan: Plan,
  playbook: Pick<Playbook, 'roles'>,
  /** The agent that is to do the task. */
  worker: string = plan.worker,
): Result<Cast, CastFailure> {
  const { agents, unready = [] } = plan
  const ready = agents.filter(({ name }) => name === worker || !unready.includes(name))
  return chooseCast(playbook, { agents: ready, roles: rolesOf(plan, worker) })
}

type Named = { readonly hash: string; readonly playbook: Pick<Playbook, 'name' | 'roles'> }

/** Casts a playbook with all that its stages can follow. `name` of a failure: the one that nobody can follow. */
export function castFamily(
  plan: Plan,
  { playbook, children }: Pick<Named, 'playbook'> & { readonly children: readonly Named[] },
  worker: string = plan.worker,
): Result<
  { readonly cast: Cast; readonly children: ChildPlaybooks },
  CastFailure & { readonly name: string }
> {
  const cast = castFor(plan, playbook, worker)
  if (!cast.ok) return failure({ ...cast.failure, name: playbook.name })
  const chosen: Record<string, ChildPlaybooks[string]> = {}
  for (const child of children) {
    const own = castFor(plan, child.playbook, worker)
    if (!own.ok) return failure({ ...own.failure, name: child.playbook.name })
    chosen[child.playbook.name] = { hash: child.hash, cast: own.value }
  }
  return success({ cast: cast.value, children: chosen })
}

/** The role bindings of a plan, with those that admit everyone in a family's casts. */
export function bindFamily(
  plan: Plan,
  { cast, children }: { readonly cast: Cast; readonly children: ChildPlaybooks },
): RoleBindings {
  const casts = [cast, ...Object.values(children).map((child) => child.cast)]
  return casts.reduce((bound, one) => bindCast(bound, plan.agents, one), plan.roles ?? {})
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
