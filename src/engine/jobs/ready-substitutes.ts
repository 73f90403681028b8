import { castFor } from '../../domain/job/cast-for.ts'
import type { JobPlan } from '../../domain/job/job.ts'
import type { Cast } from '../../domain/run/cast.ts'
import { castFamily } from '../../domain/run/cast-family.ts'
import type { ChildPlaybooks } from '../../domain/run/run.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type AgentPlace, findUnusableAgent } from '../providers/find-unusable-agent.ts'
import type { ChosenPlaybook } from './read-playbook.ts'

type Needs = Pick<EngineNeeds, 'providers' | 'settings' | 'disk'>

/** Who takes the roles of the playbook that a job follows, and of those that its stages can follow. */
export function castsOf({ approach }: JobPlan): readonly Cast[] {
  return approach === undefined ? [] : castsIn(approach)
}

/** Who takes the roles of the playbook that works on the planner's tasks. */
export function taskCasts(plan: JobPlan, chosen: ChosenPlaybook | undefined): readonly Cast[] {
  const cast =
    chosen === undefined
      ? undefined
      : castFamily({ ...chosen.folder, children: chosen.children }, castFor(plan))
  return cast?.ok === true ? castsIn(cast.value) : []
}

function castsIn({ cast, children = {} }: { readonly cast: Cast; readonly children?: ChildPlaybooks }) {
  return [cast, ...Object.values(children).map((child) => child.cast)]
}

/**
 * Leaves out the substitutes in a job's casts that can't work: a run in trouble would switch to an agent that only waits
 * for a person. The first choice of each role has been checked already.
 */
export async function withReadySubstitutes(
  needs: Needs,
  plan: JobPlan,
  place: AgentPlace,
  casts: (plan: JobPlan) => readonly Cast[],
): Promise<JobPlan> {
  const substitutes = casts(plan).flatMap((cast) =>
    Object.values(cast).flatMap((members) => members.slice(1).map(({ agent }) => agent)),
  )
  const asked = plan.agents.filter(({ name }) => substitutes.includes(name))
  const found = await Promise.all(asked.map((agent) => findUnusableAgent(needs, [agent], place)))
  const unready = found.flatMap((one) => (one === undefined ? [] : [one.agent]))
  const { approach } = plan
  if (approach === undefined || unready.length === 0) return withUnready(plan, unready)
  const { cast, children } = approach
  const kept = { ...approach, cast: without(cast, unready) }
  if (children === undefined) return { ...plan, approach: kept }
  const others = Object.entries(children).map(([name, child]) => [
    name,
    { ...child, cast: without(child.cast, unready) },
  ])
  return { ...plan, approach: { ...kept, children: Object.fromEntries(others) } }
}

/** Notes agents that get no role of a playbook. */
export function withUnready(plan: JobPlan, unready: readonly string[]): JobPlan {
  if (unready.length === 0) return plan
  return { ...plan, unready: [...new Set([...(plan.unready ?? []), ...unready])] }
}

function without(cast: Cast, unready: readonly string[]): Cast {
  return Object.fromEntries(
    Object.entries(cast).map(([role, members]) => [
      role,
      members.filter(({ agent }, index) => index === 0 || !unready.includes(agent)),
    ]),
  )
}
