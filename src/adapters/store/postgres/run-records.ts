import { type Selectable, sql } from 'kysely'
import type { JobId } from '../../../domain/id.ts'
import type { Run } from '../../../domain/run/run.ts'
import type { RunRecords } from '../../../ports/store/run-records.ts'
import type { Database } from './database.ts'
import { readRunHistory } from './run-history.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createRunRecords(scope: Scope): RunRecords {
  const { database } = scope
  const select = () => database.selectFrom('runs').selectAll().orderBy('id')
  return {
    async insert(run, change) {
      await database.insertInto('runs').values(columnsOf(run)).execute()
      scope.note(change)
      return run
    },
    save: (run, change) => saveRow(scope, 'run', run, columnsOf(run), change),
    find: (id) => findRow(select().where('id', '=', id), toRun),
    listOfTask: (taskId) => listRows(select().where('taskId', '=', taskId), toRun),
    listOfParent: (parentId) => listRows(select().where('parentId', '=', parentId), toRun),
    listOfJob: (jobId) => listRows(select().where('jobId', '=', jobId), toRun),
    listRecent: (limit) =>
      listRows(
        database
          .selectFrom('runs')
          .selectAll()
          .where('parentId', 'is', null)
          .orderBy('id', 'desc')
          .limit(limit),
        toRun,
      ),
    async listForks(jobId) {
      const { rows } = await sql<{ id: JobId }>`
        select id from jobs where id <> ${jobId}
          and plan->'approach'->'origin'->>'runId' in (select id from runs where job_id = ${jobId})
        order by id`.execute(database)
      return rows.map(({ id }) => id)
    },
    history: (limit) => readRunHistory(database, limit),
    async listOpen(jobId) {
      const open = select().where('status', 'in', ['running', 'asking'])
      return (await (jobId === undefined ? open : open.where('jobId', '=', jobId)).execute()).map(toRun)
    },
  }
}

function toRun(row: Selectable<Database['runs']>): Run {
  const { status: _, members, ...fields } = row
  return { ...withoutNulls(fields), cast: members }
}

/** CAST is a word of SQL. */
function columnsOf({ cast: members, ...run }: Run) {
  return {
    ...run,
    members: json(members),
    parentId: run.parentId ?? null,
    origin: run.origin === undefined ? null : json(run.origin),
    playbook: json(run.playbook),
    inputs: json(run.inputs),
    continues: run.continues === undefined ? null : json(run.continues),
    children: run.children === undefined ? null : json(run.children),
    counters: json(run.counters),
    state: json(run.state),
    runningSince: run.runningSince ?? null,
    endedAt: run.endedAt ?? null,
  }
}
