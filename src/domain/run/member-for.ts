import type { Cast, CastMember } from './cast.ts'

export type VisitPlace = {
  /** The branch of the visit: from 1 in a fan-out, otherwise 0. */
  readonly branch: number
  /** Whether the branches take the agents of the role in turn. */
  readonly isSpread: boolean
  /** The agents that were replaced on this visit. They don't get it again. */
  readonly replaced?: readonly string[]
  /** Agents that have no free place, or no quota. Another one is preferred, if there is one. */
  readonly busy?: readonly string[]
  /** If the visit judges: the agents that made what it judges. */
  readonly makers?: readonly string[]
  /** The role that its role should be unlike. */
  readonly unlike?: string | undefined
}

/**
 * Who takes a visit; undefined if nobody is left who hasn't been replaced on it. An agent may judge its own work if the
 * cast has it so from the start, but it never takes over from another judge.
 */
export function memberFor(cast: Cast, role: string, place: VisitPlace): CastMember | undefined {
  const { branch, isSpread, replaced = [], busy = [] } = place
  const members = membersOf(cast, role)
  const turn = isSpread && branch > 0 ? (branch - 1) % Math.max(1, members.length) : 0
  const left = withoutMakers(
    cast,
    [...members.slice(turn), ...members.slice(0, turn)].filter(({ agent }) => !replaced.includes(agent)),
    place,
  )
  return left.find(({ agent }) => !busy.includes(agent)) ?? left[0]
}

function withoutMakers(
  cast: Cast,
  left: readonly CastMember[],
  { replaced = [], makers = [], unlike }: VisitPlace,
): readonly CastMember[] {
  const others = left.filter(({ agent }) => !makers.includes(agent))
  if (replaced.length > 0) return others
  if (unlike === undefined || others.length === 0) return left
  const isPlanned = membersOf(cast, unlike)[0]?.agent === left[0]?.agent
  return isPlanned ? left : others
}

function membersOf(cast: Cast, role: string): readonly CastMember[] {
  return (Object.hasOwn(cast, role) ? cast[role] : undefined) ?? []
}
