import type { Cycle } from '../../../domain/cycle/cycle.ts'
import type { CycleRecords } from '../../../ports/store/cycle-records.ts'
import type { Database } from './database.ts'
import { findRow, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createCycleRecords(scope: Scope): CycleRecords {
  const { database } = scope
  const select = () => database.selectFrom('cycles').selectAll()
  return {
    async insert(cycle, change) {
      await database.insertInto('cycles').values(columnsOf(cycle)).execute()
      scope.note(change)
      return cycle
    },
    save: (cycle, change) => saveRow(scope, 'cycle', cycle, columnsOf(cycle), change),
    find: (id) => findRow(select().where('id', '=', id), toCycle),
    findNumber: (jobId, number) =>
      findRow(select().where('jobId', '=', jobId).where('number', '=', number), toCycle),
    listOf: (jobId) => listRows(select().where('jobId', '=', jobId).orderBy('number'), toCycle),
  }
}

function toCycle(row: Database['cycles']): Cycle {
  return withoutNulls(row)
}

function columnsOf(cycle: Cycle) {
  return {
    ...cycle,
    summary: cycle.summary ?? null,
    learnings: cycle.learnings ?? null,
    completedAt: cycle.completedAt ?? null,
  }
}
