import { isRefusal } from '../playbook/outcome.ts'
import type { PlacedVisit } from './run-history.ts'
import { treeOfCommit } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'

/**
 * The gate at which a person denied this work, or didn't answer, unless somebody allowed the work since. Wherever a
 * playbook leads from there, the work must not land, and neither must it land through a run that waited for this one.
 *
 * A refusal is about everything that was made before it, since a person who is asked sees only some of it. An approval
 * is only about the work that the run had then. Work with the same files is the same work, whoever made it.
 */
export function denyingGate(history: readonly PlacedVisit[], commit: string): Visit | undefined {
  const tree = treeOfCommit(
    history.map(({ visit }) => visit),
    commit,
  )
  const isSame = ({ visit }: PlacedVisit) =>
    visit.commit === commit || (tree !== undefined && visit.work?.tree === tree)
  const last = history.findLast(({ visit: gate, isGate, order }) => {
    if (!isGate) return false
    const before = history.filter((placed) => placed.order < order)
    if (isRefusal(outcomeOf(gate))) return gate.commit === commit || before.some(isSame)
    if (outcomeOf(gate) !== 'allowed') return false
    if (gate.commit === commit) return true
    return before.some(
      (made) => isSame(made) && (gate.commit === undefined || made.visit.commit === gate.commit),
    )
  })?.visit
  return last !== undefined && isRefusal(outcomeOf(last)) ? last : undefined
}
