import type { AgentSpec } from '../agent/agent-spec.ts'
import type { RoleBindings } from '../agent/role-binding.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { failure, type Result, success } from '../result.ts'
import { bindCast } from './bind-cast.ts'
import type { Cast } from './cast.ts'
import type { CastFailure } from './choose-cast.ts'
import type { ChildPlaybooks } from './run.ts'

type Castable = Pick<Playbook, 'name' | 'roles'>

/** A playbook with all that its stages can follow. */
type Family = {
  readonly playbook: Castable
  readonly children: readonly { readonly hash: string; readonly playbook: Castable }[]
}

export type FamilyCast = { readonly cast: Cast; readonly children: ChildPlaybooks }

/** Casts every playbook of a family. `name` of a failure: the playbook with a role that nobody can take. */
export function castFamily(
  { playbook, children }: Family,
  castOne: (playbook: Castable) => Result<Cast, CastFailure>,
): Result<FamilyCast, CastFailure & { readonly name: string }> {
  const cast = castOne(playbook)
  if (!cast.ok) return failure({ ...cast.failure, name: playbook.name })
  const chosen: Record<string, ChildPlaybooks[string]> = {}
  for (const child of children) {
    const own = castOne(child.playbook)
    if (!own.ok) return failure({ ...own.failure, name: child.playbook.name })
    chosen[child.playbook.name] = { hash: child.hash, cast: own.value }
  }
  return success({ cast: cast.value, children: chosen })
}

/** The role bindings of a job's plan, with those that admit everyone in a family's casts. */
export function bindFamily(
  { agents, roles = {} }: { readonly agents: readonly AgentSpec[]; readonly roles?: RoleBindings },
  { cast, children }: FamilyCast,
): RoleBindings {
  const casts = [cast, ...Object.values(children).map((child) => child.cast)]
  return casts.reduce((bound, one) => bindCast(bound, agents, one), roles)
}
