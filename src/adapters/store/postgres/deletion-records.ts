import { type RawBuilder, sql } from 'kysely'
import type { JobId } from '../../../domain/id.ts'
import type { DeletionRecords } from '../../../ports/store/deletion-records.ts'
import { findRow, json, listRows, type Scope, withoutNulls } from './scope.ts'

export function createDeletionRecords(scope: Scope): DeletionRecords {
  const { database } = scope
  const select = () => database.selectFrom('deletions').selectAll()
  return {
    async begin(deletion, change) {
      await deleteRows(scope, deletion.jobId)
      await database
        .insertInto('deletions')
        .values({
          ...deletion,
          removedBranch: deletion.removedBranch ?? null,
          snapshot: deletion.snapshot ?? null,
          sessions: json(deletion.sessions),
        })
        .execute()
      scope.note(change)
    },
    find: (jobId) => findRow(select().where('jobId', '=', jobId), withoutNulls),
    listOpen: () => listRows(select().orderBy('createdAt'), withoutNulls),
    async settleBranch(jobId, change) {
      const settled = await database
        .updateTable('deletions')
        .set({ removedBranch: null })
        .where('jobId', '=', jobId)
        .where('removedBranch', 'is not', null)
        .executeTakeFirst()
      if (settled.numUpdatedRows > 0n) scope.note(change)
    },
    async end(jobId, change) {
      const deleted = await database.deleteFrom('deletions').where('jobId', '=', jobId).executeTakeFirst()
      if (deleted.numDeletedRows > 0n) scope.note(change)
    },
    bytesOf: (jobId) => measureRows(scope, jobId),
  }
}

/**
 * Deletes what refers to something before what it refers to. The stream's row stays, so that an event about the deletion
 * gets a number that no reader has seen.
 */
async function deleteRows({ database }: Scope, jobId: JobId): Promise<void> {
  const own = (table: string) => sql`select id from ${sql.table(table)} where job_id = ${jobId}`
  const statements: readonly RawBuilder<unknown>[] = [
    sql`delete from events where stream_id = ${jobId}`,
    sql`delete from approval_rules where job_id = ${jobId} or approval_id in (${own('approvals')})
      or session_id in (${own('sessions')})`,
    sql`delete from approvals where job_id = ${jobId}`,
    // A message of another job may answer one of this job.
    sql`update messages set in_reply_to = null where in_reply_to in (${own('messages')})`,
    sql`delete from messages where job_id = ${jobId}`,
    sql`delete from message_bodies where job_id = ${jobId}`,
    sql`delete from documents where job_id = ${jobId}`,
    sql`delete from candidates where job_id = ${jobId}`,
    sql`delete from landings where job_id = ${jobId}`,
    sql`delete from visits where run_id in (${own('runs')})`,
    sql`delete from runs where job_id = ${jobId}`,
    sql`delete from attempts where job_id = ${jobId}`,
    sql`delete from session_inputs where session_id in (${own('sessions')})`,
    sql`delete from sessions where job_id = ${jobId}`,
    sql`delete from tasks where job_id = ${jobId}`,
    sql`delete from cycles where job_id = ${jobId}`,
    sql`delete from jobs where id = ${jobId}`,
  ]
  for (const statement of statements) await statement.execute(database)
}

async function measureRows({ database }: Scope, jobId: JobId): Promise<number> {
  const measured = await sql<{ bytes: number | null }>`
    select (select coalesce(sum(pg_column_size(events.*)), 0) from events where stream_id = ${jobId})
      + (select coalesce(sum(pg_column_size(sessions.*)), 0) from sessions where job_id = ${jobId})
      + (select coalesce(sum(pg_column_size(messages.*)), 0) from messages where job_id = ${jobId})
      + (select coalesce(sum(pg_column_size(message_bodies.*)), 0) from message_bodies where job_id = ${jobId})
      + (select coalesce(sum(pg_column_size(tasks.*)), 0) from tasks where job_id = ${jobId}) as bytes`.execute(
    database,
  )
  return Number(measured.rows[0]?.bytes ?? 0)
}
