import { isRefusal } from '../playbook/outcome.ts'
import type { PlacedVisit, RunHistory } from './run-history.ts'
import { treeOfCommit } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'

type Work = { readonly commit: string; readonly tree: string | undefined }

/**
 * The gate at which a person denied this work, or didn't answer, unless somebody allowed the work since. Wherever a
 * playbook leads from there, the work must not land, and neither must it land through a run that waited for this one, that
 * continues it or that tries it again. What the run itself decides about the work replaces what an earlier one has decided.
 *
 * A refusal is about everything that was made before it, since a person who is asked sees only some of it. An approval
 * is only about the work that the run had then. Work with the same files is the same work, whoever made it.
 */
export function denyingGate(history: RunHistory, commit: string): Visit | undefined {
  const made = history.own.map(({ visit }) => visit)
  return denyingIn(history, { commit, tree: treeOfCommit(made, commit) })
}

function denyingIn({ own, earlier }: RunHistory, work: Work): Visit | undefined {
  const last = own.findLast((gate) => isAbout(gate, own, work))?.visit
  if (last === undefined) return earlier === undefined ? undefined : denyingIn(earlier, work)
  return isRefusal(outcomeOf(last)) ? last : undefined
}

function isAbout(
  { visit: gate, isGate, order }: PlacedVisit,
  own: readonly PlacedVisit[],
  { commit, tree }: Work,
): boolean {
  if (!isGate) return false
  const isSame = ({ visit }: PlacedVisit) =>
    visit.commit === commit || (tree !== undefined && visit.work?.tree === tree)
  const before = own.filter((placed) => placed.order < order)
  if (isRefusal(outcomeOf(gate))) return gate.commit === commit || before.some(isSame)
  if (outcomeOf(gate) !== 'allowed') return false
  if (gate.commit === commit) return true
  return before.some(
    (made) => isSame(made) && (gate.commit === undefined || made.visit.commit === gate.commit),
  )
}
