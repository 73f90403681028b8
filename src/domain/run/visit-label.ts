import type { Visit } from './visit.ts'

/**
 * A visit as a person reads it: `review`, `review (round 2)` once its stage is entered again, `try #2` in the second
 * branch of a fan-out, `try #2 (round 3)` if both. A number alone could mean either.
 */
export function visitLabel({ stage, round, branch }: Pick<Visit, 'stage' | 'round' | 'branch'>): string {
  const place = branch === 0 ? stage : `${stage} #${branch}`
  return round === 1 ? place : `${place} (round ${round})`
}
