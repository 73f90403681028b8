import type { Cycle } from '../../../domain/cycle/cycle.ts'
import type { CycleRecords } from '../../../ports/store/cycle-records.ts'
import type { Database } from './database.ts'
import { requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createCycleRecords(scope: Scope): CycleRecords {
  const { database } = scope
  const select = () => database.selectFrom('cycles').selectAll()
  return {
    async insert(cycle, change) {
      await database.insertInto('cycles').values(columnsOf(cycle)).execute()
      scope.note(change)
      return cycle
    },
    async save(cycle, change) {
      const { id: _, ...fields } = columnsOf(cycle)
      const updated = await database
        .updateTable('cycles')
        .set({ ...fields, version: cycle.version + 1 })
        .where('id', '=', cycle.id)
        .where('version', '=', cycle.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'cycle', cycle.id)
      scope.note(change)
      return { ...cycle, version: cycle.version + 1 }
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toCycle(row)
    },
    async findNumber(jobId, number) {
      const row = await select().where('jobId', '=', jobId).where('number', '=', number).executeTakeFirst()
      return row === undefined ? undefined : toCycle(row)
    },
    async listOf(jobId) {
      const rows = await select().where('jobId', '=', jobId).orderBy('number').execute()
      return rows.map(toCycle)
    },
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
