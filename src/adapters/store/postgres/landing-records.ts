import type { Landing } from '../../../domain/landing/landing.ts'
import type { LandingRecords } from '../../../ports/store/landing-records.ts'
import type { Database } from './database.ts'
import { json, requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createLandingRecords(scope: Scope): LandingRecords {
  const { database } = scope
  const select = () => database.selectFrom('landings').selectAll().orderBy('id')
  return {
    async insert(landing, change) {
      await database.insertInto('landings').values(columnsOf(landing)).execute()
      scope.note(change)
      return landing
    },
    async save(landing, change) {
      const { id: _, ...fields } = columnsOf(landing)
      const updated = await database
        .updateTable('landings')
        .set({ ...fields, version: landing.version + 1 })
        .where('id', '=', landing.id)
        .where('version', '=', landing.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'landing', landing.id)
      scope.note(change)
      return { ...landing, version: landing.version + 1 }
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toLanding(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toLanding)
    },
    async listOpen(jobId) {
      const rows = await select()
        .where('jobId', '=', jobId)
        .where('status', 'in', ['queued', 'checking'])
        .execute()
      return rows.map(toLanding)
    },
    async listOfTask(taskId) {
      return (await select().where('taskId', '=', taskId).execute()).map(toLanding)
    },
    async listOfJob(jobId) {
      return (await select().where('jobId', '=', jobId).execute()).map(toLanding)
    },
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
