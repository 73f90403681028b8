import type { VisitId } from '../../domain/id.ts'
import type { Run, RunOrigin } from '../../domain/run/run.ts'
import { type TakenPast, takeVisits } from '../../domain/run/take-visits.ts'
import type { TakenVisit, Visit } from '../../domain/run/visit.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadRun } from '../loaded-runs/load-run.ts'
import type { RunNeeds } from './run-needs.ts'

/** What a run takes from the one that it continues, and what it starts with because of that. */
type Past = TakenPast & { readonly start: Pick<Run, 'counters'> & { readonly head: string } }

export async function findPast(records: Records, origin: RunOrigin): Promise<Past> {
  const loaded = await loadRun(records, origin.runId)
  // The job of a run that others continue can't be deleted.
  if (loaded === undefined) throw new Error(`the run ${origin.runId}, which another one continues, is gone`)
  const past = takeVisits(loaded.pinned.playbook, loaded.visits, origin)
  return { ...past, start: { head: loaded.run.baseCommit, counters: past.counters } }
}

/**
 * Stores copies of the visits that a run takes. They refer to each other as their originals do, and nothing is done for
 * them. The other run is only read.
 */
export async function insertPast(
  needs: RunNeeds,
  records: Records,
  run: Run,
  { taken, open }: TakenPast,
): Promise<void> {
  const all = [...taken, ...open]
  const ids = new Map(all.map(({ id }) => [id, needs.ids.next('visit')]))
  const visits = all.map((visit) => ({
    ...(open.includes(visit) ? freshOf(needs, visit) : takenOf(visit)),
    id: ids.get(visit.id) ?? visit.id,
    runId: run.id,
    inputs: inputsOf(visit, ids),
    tries: 0,
    recoveries: {},
    replaced: [],
    troubles: [],
    version: 1,
  }))
  await records.visits.insertAll(visits, {
    audit: {
      actor: 'engine',
      action: 'visits-take',
      subject: run.id,
      detail: { from: run.origin?.runId ?? '', visits: taken.length },
    },
  })
  needs.crash.reach('run.before-fork')
}

function inputsOf({ inputs }: Visit, ids: ReadonlyMap<VisitId, VisitId>): readonly VisitId[] {
  return inputs.map((id) => ids.get(id) ?? id)
}

/** The result of a visit. The visit of a run that was itself continued keeps the attempt that did the work. */
function takenOf({ attemptId: own, taken: earlier, ...visit }: Visit): Visit {
  const attemptId = own ?? earlier?.attemptId
  const taken: TakenVisit = { visitId: visit.id, ...withoutUndefined({ attemptId }) }
  return { ...visit, taken }
}

function freshOf(needs: RunNeeds, { ordinal, stage, round, branch, inputs, item, id, runId }: Visit): Visit {
  return {
    ...{ id, runId, ordinal, stage, round, branch, inputs, item },
    state: { type: 'waiting' },
    tries: 0,
    recoveries: {},
    replaced: [],
    troubles: [],
    version: 1,
    createdAt: needs.clock.now(),
  }
}
