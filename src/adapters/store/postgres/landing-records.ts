import type { Landing } from '../../../domain/landing/landing.ts'
import type { LandingRecords } from '../../../ports/store/landing-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createLandingRecords(scope: Scope): LandingRecords {
  const { database } = scope
  const select = () => database.selectFrom('landings').selectAll().orderBy('id')
  return {
    async insert(landing, change) {
      await database.insertInto('landings').values(columnsOf(landing)).execute()
      scope.note(change)
      return landing
    },
    save: (landing, change) => saveRow(scope, 'landing', landing, columnsOf(landing), change),
    find: (id) => findRow(select().where('id', '=', id), toLanding),
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toLanding)
    },
    listOpen: (jobId) =>
      listRows(select().where('jobId', '=', jobId).where('status', 'in', ['queued', 'checking']), toLanding),
    listOfTask: (taskId) => listRows(select().where('taskId', '=', taskId), toLanding),
    listOfJob: (jobId) => listRows(select().where('jobId', '=', jobId), toLanding),
  }
}

function toLanding(row: Omit<Database['landings'], 'status'> & { status: string }): Landing {
  const { status: _, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(landing: Landing) {
  return {
    ...landing,
    state: json(landing.state),
    checks: json(landing.checks),
    endedAt: landing.endedAt ?? null,
  }
}
