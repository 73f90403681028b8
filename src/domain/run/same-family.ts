import { isOtherFamily } from '../agent/model-family.ts'
import { hasFormat } from '../playbook/has-format.ts'
import { isInVain } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { type Cast, sameFamilyRoles } from './cast.ts'
import { chosenOf } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'
import type { VisitWorkers } from './visit-workers.ts'

type Compared = {
  readonly playbook: Pick<Playbook, 'roles' | 'stages'>
  readonly cast: Cast
  readonly visits: readonly Visit[]
  readonly workers: VisitWorkers
}

/**
 * The roles whose agents aren't known to be of another model family than those of the role that they should be unlike.
 * What counts is who did the visits: the first choice of a role may have been replaced.
 */
export function sameFamilyIn(
  compared: Compared,
): readonly { readonly role: string; readonly unlike: string }[] {
  return Object.entries(compared.playbook.roles).flatMap(([role, { unlike }]) => {
    const done = unlike === undefined ? [] : doneBy(compared, role)
    const isSame = done.some((visit) => isLike(compared, visit, { role, unlike: unlike ?? '' }))
    return unlike === undefined || !isSame ? [] : [{ role, unlike }]
  })
}

function isLike(
  compared: Compared,
  visit: Visit,
  { role, unlike }: { readonly role: string; readonly unlike: string },
): boolean {
  const { cast, workers } = compared
  const own = workers.get(visit.id)
  const others = othersOf(compared, visit, unlike).map(({ id }) => workers.get(id))
  // Without the attempts, only the cast is known.
  if (own === undefined || others.length === 0 || others.includes(undefined)) {
    return sameFamilyRoles(cast).includes(role)
  }
  return own.some((one) => others.some((all = []) => all.some((other) => !isOtherFamily(one, other))))
}

/** The visits that a visit is compared with. Of what a judge chose from, only its choice counts. */
function othersOf(compared: Compared, visit: Visit, unlike: string): readonly Visit[] {
  const others = doneBy(compared, unlike)
  const stage = compared.playbook.stages[visit.stage]
  if (stage?.type !== 'role' || !hasFormat(stage.output, 'choice')) return others
  const chosen = chosenOf(visit, compared.visits)
  const judged = others.filter(({ id }) => id === chosen?.id)
  return judged.length === 0 ? others : judged
}

function doneBy({ playbook: { stages }, visits }: Compared, role: string): readonly Visit[] {
  return visits.filter((visit) => {
    const stage = stages[visit.stage]
    const isOwn = stage?.type === 'role' && stage.role === role
    return isOwn && visit.state.type === 'settled' && !isInVain(outcomeOf(visit))
  })
}
