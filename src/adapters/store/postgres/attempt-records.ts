import type { Selectable } from 'kysely'
import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { AttemptRecords } from '../../../ports/store/attempt-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createAttemptRecords(scope: Scope): AttemptRecords {
  const { database } = scope
  const select = () => database.selectFrom('attempts').selectAll()
  const listOfTasks: AttemptRecords['listOfTasks'] = async (taskIds) => {
    if (taskIds.length === 0) return []
    const ofTasks = select().where('taskId', 'in', taskIds)
    return (await ofTasks.orderBy('createdAt').orderBy('number').execute()).map(toAttempt)
  }
  return {
    async insert(attempt, change) {
      await database.insertInto('attempts').values(columnsOf(attempt)).execute()
      scope.note(change)
      return attempt
    },
    save: (attempt, change) => saveRow(scope, 'attempt', attempt, columnsOf(attempt), change),
    find: (id) => findRow(select().where('id', '=', id), toAttempt),
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toAttempt)
    },
    listOfTask: (taskId) => listOfTasks([taskId]),
    listOfTasks,
    listOfVisit: (visitId) => listRows(select().where('visitId', '=', visitId).orderBy('number'), toAttempt),
    listOfDiscovery: (cycleId) =>
      listRows(select().where('cycleId', '=', cycleId).orderBy('number'), toAttempt),
    listOfJob: (jobId) => listRows(select().where('jobId', '=', jobId).orderBy('id'), toAttempt),
    listEnded: () => listRows(select().where('status', '=', 'ended').orderBy('id'), toAttempt),
    async listUnsettled(jobId) {
      const open = select().where('status', '<>', 'settled').orderBy('id')
      const rows = await (jobId === undefined ? open : open.where('jobId', '=', jobId)).execute()
      return rows.map(toAttempt)
    },
  }
}

function toAttempt(row: Selectable<Database['attempts']>): Attempt {
  const { status: _, cycleId: __, taskId: ___, visitId: ____, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(attempt: Attempt) {
  return {
    ...attempt,
    agent: json(attempt.agent),
    state: json(attempt.state),
    handoffs: json(attempt.handoffs),
    purpose: json(attempt.purpose),
    admittedAs: attempt.admittedAs ?? null,
    continues: attempt.continues === undefined ? null : json(attempt.continues),
    baseCommit: attempt.baseCommit ?? null,
    tip: attempt.tip ?? null,
    endedAt: attempt.endedAt ?? null,
  }
}
