import { sql } from 'kysely'
import type { Task } from '../../../domain/task/task.ts'
import type { TaskRecords } from '../../../ports/store/task-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createTaskRecords(scope: Scope): TaskRecords {
  const { database } = scope
  const select = () => database.selectFrom('tasks').selectAll()
  return {
    async insertAll(tasks, change) {
      if (tasks.length > 0) await database.insertInto('tasks').values(tasks.map(columnsOf)).execute()
      scope.note(change)
    },
    save: (task, change) => saveRow(scope, 'task', task, columnsOf(task), change),
    find: (id) => findRow(select().where('id', '=', id), toTask),
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toTask)
    },
    listOfCycle: (cycleId) => listRows(select().where('cycleId', '=', cycleId).orderBy('number'), toTask),
    listOfJob: (jobId) =>
      listRows(select().where('jobId', '=', jobId).orderBy('cycleNumber').orderBy('number'), toTask),
    listWaiting: () =>
      listRows(
        select()
          .where('status', '=', 'pending')
          .where(sql<boolean>`(state ? 'waiting' or started_at is not null)`)
          .where(
            sql<boolean>`exists (select from jobs where jobs.id = tasks.job_id and jobs.status = 'running')`,
          )
          .orderBy('id'),
        toTask,
      ),
    listRecent: (limit) => listRows(select().orderBy('id', 'desc').limit(limit), toTask),
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
    playbook: task.playbook === undefined ? null : json(task.playbook),
    lastFailure: task.lastFailure ?? null,
    resultSummary: task.resultSummary ?? null,
    changes: task.changes === undefined ? null : json(task.changes),
    startedAt: task.startedAt ?? null,
    completedAt: task.completedAt ?? null,
  }
}
