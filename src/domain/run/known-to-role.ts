import type { VisitId } from '../id.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Notebook } from './notebook.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** The earlier visits of a role that keeps its conversation, in the same branch, that gave a result. */
export function earlierVisitsOf(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  visit: Visit,
  role: string,
): readonly Visit[] {
  return visits.filter((other) => {
    const stage = stages[other.stage]
    const isOfRole = stage?.type === 'role' && stage.role === role
    const hasEnded = other.state.type === 'settled' && outcomeOf(other) !== 'failed'
    return isOfRole && hasEnded && other.branch === visit.branch && other.ordinal < visit.ordinal
  })
}

/** The results that were in the conversation already: what these visits saw, and what they answered. */
export function knownResults(earlier: readonly Visit[]): ReadonlySet<VisitId> {
  return new Set(earlier.flatMap(({ id, inputs }) => [id, ...inputs]))
}

/** A notebook without what another one has. */
export function newInNotebook(notebook: Notebook, known: Notebook): Notebook {
  const isNew = (before: readonly string[]) => (entry: string) => !before.includes(entry)
  return {
    // Reviews refer to criteria by number, so they stay together.
    criteria: notebook.criteria.every((one) => known.criteria.includes(one)) ? [] : notebook.criteria,
    decisions: notebook.decisions.filter(isNew(known.decisions)),
    findings: notebook.findings.filter(isNew(known.findings)),
  }
}
