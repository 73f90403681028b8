import { judgesWork } from '../playbook/judges-work.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { newestWork, treeOfCommit } from './run-work.ts'
import { verdictOf } from './verdict-of.ts'
import { outcomeOf, type Visit } from './visit.ts'

/**
 * Whether the last review of exactly this work approved it, wherever the run has been since. Work with the same files is
 * the same work.
 */
export function isApproved(
  playbook: Pick<Playbook, 'stages' | 'roles'>,
  visits: readonly Visit[],
  commit: string,
): boolean {
  const tree = treeOfCommit(visits, commit)
  const isSame = (other: string) =>
    other === commit || (tree !== undefined && treeOfCommit(visits, other) === tree)
  const last = visits.findLast((visit) => {
    const work = reviewedWork(playbook, visits, visit)
    return work !== undefined && isSame(work)
  })
  return last !== undefined && outcomeOf(last) === 'APPROVED'
}

/** The commit that a visit gave a verdict on; undefined if it gave none. */
function reviewedWork(
  playbook: Pick<Playbook, 'stages' | 'roles'>,
  visits: readonly Visit[],
  visit: Visit,
): string | undefined {
  const stage = playbook.stages[visit.stage]
  const outcome = outcomeOf(visit)
  if (stage === undefined || outcome === undefined || !judgesWork(playbook, stage)) return undefined
  if (verdictOf(outcome, visit.answer) === undefined) return undefined
  const before = visits.filter(({ ordinal }) => ordinal < visit.ordinal)
  return newestWork(playbook, before)?.commit
}
