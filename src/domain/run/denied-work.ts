import type { Playbook } from '../playbook/playbook.ts'
import { treeOfCommit } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'

const REFUSALS: readonly string[] = ['denied', 'expired']

/**
 * The gate at which a person denied this work, or didn't answer, unless somebody allowed the work since. Wherever a
 * playbook leads from there, the work must not land.
 *
 * A refusal is about everything that was made before it, since a person who is asked sees only some of it. An approval
 * is only about the work that the run had then. Work with the same files is the same work, whoever made it.
 */
export function denyingGate(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  commit: string,
): Visit | undefined {
  const tree = treeOfCommit(visits, commit)
  const isSame = (visit: Visit) =>
    visit.commit === commit || (tree !== undefined && visit.work?.tree === tree)
  const last = visits.findLast((gate) => {
    if (stages[gate.stage]?.type !== 'gate') return false
    const before = visits.filter(({ ordinal }) => ordinal < gate.ordinal)
    if (REFUSALS.includes(outcomeOf(gate) ?? '')) return gate.commit === commit || before.some(isSame)
    if (outcomeOf(gate) !== 'allowed') return false
    if (gate.commit === commit) return true
    return before.some((made) => isSame(made) && (gate.commit === undefined || made.commit === gate.commit))
  })
  return last !== undefined && REFUSALS.includes(outcomeOf(last) ?? '') ? last : undefined
}
