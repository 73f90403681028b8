import { sql } from 'kysely'
import type { Task } from '../../../domain/task/task.ts'
import type { TaskRecords } from '../../../ports/store/task-records.ts'
import type { Database } from './database.ts'
import { json, requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createTaskRecords(scope: Scope): TaskRecords {
  const { database } = scope
  const select = () => database.selectFrom('tasks').selectAll()
  return {
    async insertAll(tasks, change) {
      if (tasks.length > 0) await database.insertInto('tasks').values(tasks.map(columnsOf)).execute()
      scope.note(change)
    },
    async save(task, change) {
      const { id: _, ...fields } = columnsOf(task)
      const updated = await database
        .updateTable('tasks')
        .set({ ...fields, version: task.version + 1 })
        .where('id', '=', task.id)
        .where('version', '=', task.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'task', task.id)
      scope.note(change)
      return { ...task, version: task.version + 1 }
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toTask(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toTask)
    },
    async listOfCycle(cycleId) {
      const rows = await select().where('cycleId', '=', cycleId).orderBy('number').execute()
      return rows.map(toTask)
    },
    async listOfJob(jobId) {
      const rows = await select()
        .where('jobId', '=', jobId)
        .orderBy('cycleNumber')
        .orderBy('number')
        .execute()
      return rows.map(toTask)
    },
    async listWaiting() {
      const rows = await select()
        .where('status', '=', 'pending')
        .where(sql<boolean>`state ? 'waiting'`)
        .where(
          sql<boolean>`exists (select from jobs where jobs.id = tasks.job_id and jobs.status = 'running')`,
        )
        .orderBy('id')
        .execute()
      return rows.map(toTask)
    },
    async listRecent(limit) {
      const rows = await select().orderBy('id', 'desc').limit(limit).execute()
      return rows.map(toTask)
    },
  }
}

function toTask(row: Omit<Database['tasks'], 'status'> & { status: string }): Task {
  const { status: _, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(task: Task) {
  return {
    ...task,
    state: json(task.state),
    origin: json(task.origin),
    criteria: json(task.criteria),
    agent: task.agent ?? null,
    startFrom: task.startFrom ?? null,
    lastFailure: task.lastFailure ?? null,
    resultSummary: task.resultSummary ?? null,
    startedAt: task.startedAt ?? null,
    completedAt: task.completedAt ?? null,
  }
}
