import type { Job } from '../../../domain/job/job.ts'
import type { JobRecords } from '../../../ports/store/job-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createJobRecords(scope: Scope): JobRecords {
  const { database } = scope
  const byId = () => database.selectFrom('jobs').selectAll()
  return {
    async insert(job, change, idempotencyKey) {
      const inserted = await database
        .insertInto('jobs')
        .values({
          ...columnsOf(job),
          id: job.id,
          createdAt: job.createdAt,
          version: job.version,
          idempotencyKey: idempotencyKey ?? null,
        })
        .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (inserted !== undefined) {
        scope.note(change)
        return toJob(inserted)
      }
      return toJob(
        await byId()
          .where('idempotencyKey', '=', idempotencyKey ?? '')
          .executeTakeFirstOrThrow(),
      )
    },
    save: (job, change) => saveRow(scope, 'job', job, columnsOf(job), change),
    findByKey: (idempotencyKey) => findRow(byId().where('idempotencyKey', '=', idempotencyKey), toJob),
    find: (id) => findRow(byId().where('id', '=', id), toJob),
    async list(filter, page) {
      let query = byId().orderBy('id', 'desc').limit(page.limit)
      if (page.cursor !== undefined) query = query.where('id', '<', page.cursor as Job['id'])
      if (filter.projectId !== undefined) query = query.where('projectId', '=', filter.projectId)
      if (filter.userId !== undefined) query = query.where('userId', '=', filter.userId)
      if (filter.status !== undefined) query = query.where('status', '=', filter.status)
      return (await query.execute()).map(toJob)
    },
    listEnded(before, { limit, after }) {
      let query = byId().where('completedAt', '<', before).orderBy('completedAt').orderBy('id').limit(limit)
      if (after?.completedAt !== undefined) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('completedAt', 'id'), '>', tuple(after.completedAt ?? null, after.id)),
        )
      }
      return listRows(query, toJob)
    },
    listOpen: () =>
      listRows(byId().where('status', 'in', ['pending', 'running', 'paused']).orderBy('id'), toJob),
  }
}

type JobRow = Omit<Database['jobs'], 'status'> & { status: string }

export function toJob(row: JobRow): Job {
  const { status: _, idempotencyKey: __, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(job: Job) {
  const { id: _, createdAt: __, version: ___, ...fields } = job
  return {
    ...fields,
    plan: json(job.plan),
    state: json(job.state),
    runningSince: job.runningSince ?? null,
    movedBase: job.movedBase === undefined ? null : json(job.movedBase),
    base: job.base === undefined ? null : json(job.base),
    budgetNotice: job.budgetNotice ?? null,
    summary: job.summary ?? null,
    lastError: job.lastError ?? null,
    startedAt: job.startedAt ?? null,
    completedAt: job.completedAt ?? null,
  }
}
