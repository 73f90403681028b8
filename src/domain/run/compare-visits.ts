import type { VisitId } from '../id.ts'
import { outcomeOf, type Visit } from './visit.ts'

/**
 * `shared`: one run took it from the other, or both took it from the same one. `alike`: both made it, with the same
 * outcome.
 */
export type VisitRelation = 'shared' | 'alike' | 'different' | 'only-a' | 'only-b'

export type VisitPair = { readonly relation: VisitRelation; readonly a?: Visit; readonly b?: Visit }

/** The visits of two runs side by side, in the order of both. */
export function compareVisits(a: readonly Visit[], b: readonly Visit[]): readonly VisitPair[] {
  const pairs: VisitPair[] = []
  let [left, right] = [a, b]
  for (let pair = nextPair(left, right); pair !== undefined; pair = nextPair(left, right)) {
    pairs.push(pair)
    if (pair.a !== undefined) left = left.slice(1)
    if (pair.b !== undefined) right = right.slice(1)
  }
  return pairs
}

function nextPair(left: readonly Visit[], right: readonly Visit[]): VisitPair | undefined {
  const [a] = left
  const [b] = right
  if (a === undefined) return b === undefined ? undefined : { relation: 'only-b', b }
  if (b === undefined) return { relation: 'only-a', a }
  if (keyOf(a) === keyOf(b)) return { relation: relationOf(a, b), a, b }
  const isInBoth = right.some((visit) => keyOf(visit) === keyOf(a))
  return isInBoth ? { relation: 'only-b', b } : { relation: 'only-a', a }
}

function keyOf({ stage, round, branch }: Visit): string {
  return JSON.stringify([stage, round, branch])
}

function relationOf(a: Visit, b: Visit): VisitRelation {
  if (madeIn(a) === madeIn(b)) return 'shared'
  return outcomeOf(a) === outcomeOf(b) ? 'alike' : 'different'
}

/** The visit whose result it is. */
function madeIn({ id, taken }: Visit): VisitId {
  return taken?.visitId ?? id
}
