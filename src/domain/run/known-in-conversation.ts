import type { Attempt } from '../attempt/attempt.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Reference } from '../playbook/reference.ts'
import type { EarlierTry } from './conversation-for.ts'
import type { Notebook } from './notebook.ts'
import type { Visit } from './visit.ts'

/**
 * The visits that were asked and answered in the conversation that an attempt continues, newest first. A role may have had
 * other conversations before: with another agent, before a handoff, or in the run that this one was forked from.
 */
export function visitsInConversation(
  { continues }: Pick<Attempt, 'continues'>,
  tries: readonly EarlierTry[],
  visits: readonly Visit[],
): readonly Visit[] {
  const found: Visit[] = []
  for (let next = continues; next !== undefined; ) {
    const { sessionId } = next
    const held = tries.find(({ attempt }) => attempt.sessionId === sessionId)
    const visit = visits.find(({ id }) => isFor(held?.attempt, id))
    if (held === undefined || visit === undefined) break
    found.push(visit)
    next = hasBegun(held) ? undefined : held.attempt.continues
  }
  return found
}

function isFor(attempt: Attempt | undefined, id: Visit['id']): boolean {
  return attempt?.purpose.type === 'visit' && attempt.purpose.visitId === id
}

/**
 * Whether a conversation may have begun with this attempt: with a session that took over, or with a program that was
 * started again with the whole prompt.
 */
function hasBegun({ attempt, session }: EarlierTry): boolean {
  return attempt.handoffs.length > 0 || session === undefined || session.processNumber > 1
}

type Conversation = {
  readonly playbook: Pick<Playbook, 'stages'>
  readonly visits: readonly Visit[]
}

/** Whether a conversation has all that the references name of a visit: its agent answered it, or it was shown before. */
export function isResultKnown(
  { playbook, visits }: Conversation,
  result: Pick<Visit, 'id' | 'stage'>,
  references: readonly Reference[],
): boolean {
  if (visits.some(({ id }) => id === result.id)) return true
  const readers = visits.filter(({ inputs }) => inputs.includes(result.id))
  return references
    .filter(({ of }) => of === result.stage)
    .every((reference) => wasShown({ playbook, visits: readers }, reference))
}

/** Whether one of these visits was shown what a reference names, or all that it is a field of. */
export function wasShown({ playbook, visits }: Conversation, { of, field }: Reference): boolean {
  return visits.some((visit) => {
    const stage = playbook.stages[visit.stage]
    const sees = stage?.type === 'role' ? stage.sees : []
    return sees.some((seen) => seen.of === of && (seen.field === undefined || seen.field === field))
  })
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
