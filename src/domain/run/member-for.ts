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
}

/** Who takes a visit; undefined if nobody is left who hasn't been replaced on it. */
export function memberFor(
  cast: Cast,
  role: string,
  { branch, isSpread, replaced = [], busy = [] }: VisitPlace,
): CastMember | undefined {
  const members = (Object.hasOwn(cast, role) ? cast[role] : undefined) ?? []
  const turn = isSpread && branch > 0 ? (branch - 1) % Math.max(1, members.length) : 0
  const left = [...members.slice(turn), ...members.slice(0, turn)].filter(
    ({ agent }) => !replaced.includes(agent),
  )
  return left.find(({ agent }) => !busy.includes(agent)) ?? left[0]
}
