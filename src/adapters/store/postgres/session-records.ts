import { sql } from 'kysely'
import type { SessionId } from '../../../domain/id.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionRecords, SpoolProgress } from '../../../ports/store/session-records.ts'
import { appendEvents } from './append-events.ts'
import type { Database } from './database.ts'
import { json, requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createSessionRecords(scope: Scope): SessionRecords {
  const { database } = scope
  const select = () => database.selectFrom('sessions').selectAll()
  return {
    async insert(session, change) {
      await database.insertInto('sessions').values(columnsOf(session)).execute()
      scope.note(change)
      return session
    },
    async save(session, change) {
      // The offsets belong to `advance`: a save of state must not move them back.
      const { id: _, outOffset: __, errOffset: ___, ...fields } = columnsOf(session)
      const updated = await database
        .updateTable('sessions')
        .set({ ...fields, version: session.version + 1 })
        .where('id', '=', session.id)
        .where('version', '=', session.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'session', session.id)
      scope.note(change)
      return { ...session, version: session.version + 1 }
    },
    async advance(progress) {
      const moved = await moveOffsets(scope, progress)
      await appendEvents(
        scope,
        progress.filter((entry) => moved.has(entry.sessionId)).flatMap((entry) => entry.events),
      )
      return [...moved]
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toSession(row)
    },
    async listLive(jobId) {
      const live = select().where('status', '<>', 'terminated').orderBy('id')
      const rows = await (jobId === undefined ? live : live.where('jobId', '=', jobId)).execute()
      return rows.map(toSession)
    },
    async listOfJob(jobId) {
      const rows = await select().where('jobId', '=', jobId).orderBy('id').execute()
      return rows.map(toSession)
    },
    async listRecent(limit) {
      const rows = await select().orderBy('id', 'desc').limit(limit).execute()
      return rows.map(toSession)
    },
  }
}

async function moveOffsets(scope: Scope, progress: readonly SpoolProgress[]): Promise<Set<SessionId>> {
  const moved = await sql<{ id: SessionId }>`
    update sessions set out_offset = wanted.to_out, err_offset = wanted.to_err
    from unnest(
      ${progress.map((entry) => entry.sessionId)}::text[],
      ${progress.map((entry) => entry.fromOut)}::bigint[], ${progress.map((entry) => entry.toOut)}::bigint[],
      ${progress.map((entry) => entry.fromErr)}::bigint[], ${progress.map((entry) => entry.toErr)}::bigint[]
    ) as wanted (id, from_out, to_out, from_err, to_err)
    where sessions.id = wanted.id
      and sessions.out_offset = wanted.from_out and sessions.err_offset = wanted.from_err
    returning sessions.id`.execute(scope.database)
  return new Set(moved.rows.map((row) => row.id))
}

function toSession(row: Omit<Database['sessions'], 'status'> & { status: string }): Session {
  const { status: _, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(session: Session) {
  return {
    ...session,
    purpose: json(session.purpose),
    state: json(session.state),
    containment: session.containment ?? null,
    startedAt: session.startedAt ?? null,
    deadline: session.deadline ?? null,
    endedAt: session.endedAt ?? null,
  }
}
