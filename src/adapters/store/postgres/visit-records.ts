import type { Selectable } from 'kysely'
import type { Visit } from '../../../domain/run/visit.ts'
import type { VisitRecords } from '../../../ports/store/visit-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createVisitRecords(scope: Scope): VisitRecords {
  const { database } = scope
  const select = () => database.selectFrom('visits').selectAll()
  return {
    async insertAll(visits, change) {
      if (visits.length > 0) await database.insertInto('visits').values(visits.map(columnsOf)).execute()
      scope.note(change)
    },
    save: (visit, change) => saveRow(scope, 'visit', visit, columnsOf(visit), change),
    find: (id) => findRow(select().where('id', '=', id), toVisit),
    listOfRun: (runId) =>
      listRows(select().where('runId', '=', runId).orderBy('ordinal').orderBy('branch'), toVisit),
  }
}

function toVisit(row: Selectable<Database['visits']>): Visit {
  return withoutNulls(row)
}

function columnsOf(visit: Visit) {
  return {
    ...visit,
    inputs: json(visit.inputs),
    recoveries: json(visit.recoveries),
    replaced: json(visit.replaced),
    troubles: json(visit.troubles),
    item: visit.item === undefined ? null : json(visit.item),
    taken: visit.taken === undefined ? null : json(visit.taken),
    state: json(visit.state),
    attemptId: visit.attemptId ?? null,
    problem: visit.problem ?? null,
    commit: visit.commit ?? null,
    work: visit.work === undefined ? null : json(visit.work),
    answer: visit.answer === undefined ? null : json(visit.answer),
    endedAt: visit.endedAt ?? null,
  }
}
