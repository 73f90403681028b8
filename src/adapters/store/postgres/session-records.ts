import { type RawBuilder, sql } from 'kysely'
import type { JobId, RunId, SessionId } from '../../../domain/id.ts'
import type { Session } from '../../../domain/session/session.ts'
import type {
  PendingInput,
  SessionFilter,
  SessionRecords,
  SpoolProgress,
} from '../../../ports/store/session-records.ts'
import { appendEvents } from './append-events.ts'
import type { Database } from './database.ts'
import { jsonbText } from './jsonb-text.ts'
import { json, listRows, requireOneRow, type Scope, withoutNulls } from './scope.ts'

/** The number of this advisory lock. It only has to differ from our other locks. */
const ADMISSION = 7_261

export function createSessionRecords(scope: Scope): SessionRecords {
  const { database } = scope
  const select = () => database.selectFrom('sessions').selectAll()
  const update = async (session: Session, columns: object) => {
    const updated = await database
      .updateTable('sessions')
      .set({ ...columns, version: session.version + 1 })
      .where('id', '=', session.id)
      .where('version', '=', session.version)
      .executeTakeFirst()
    requireOneRow(updated.numUpdatedRows, 'session', session.id)
    return { ...session, version: session.version + 1 }
  }
  return {
    async insert(session, change) {
      await database.insertInto('sessions').values(columnsOf(session)).execute()
      scope.note(change)
      return session
    },
    async save(session, change) {
      // Only `advance` stores offsets and the conversation. Saving a state must not move them back.
      const { id: _, outOffset: __, errOffset: ___, conversation: ____, ...columns } = columnsOf(session)
      const saved = await update(session, columns)
      scope.note(change)
      return saved
    },
    async saveProcess(session, change) {
      const { id: _, ...columns } = columnsOf(session)
      const saved = await update(session, columns)
      scope.note(change)
      return saved
    },
    async advance(progress) {
      const moved = await moveOffsets(scope, progress)
      const stored = progress.filter((entry) => moved.has(entry.sessionId))
      await saveConversations(scope, stored)
      await appendEvents(
        scope,
        stored.flatMap((entry) => entry.events),
      )
      return [...moved]
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toSession(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      return (await select().where('id', 'in', ids).execute()).map(toSession)
    },
    async listLive(jobId) {
      const live = select().where('status', '<>', 'terminated').orderBy('id')
      const rows = await (jobId === undefined ? live : live.where('jobId', '=', jobId)).execute()
      return rows.map(toSession)
    },
    listOfJob: (jobId) => listRows(select().where('jobId', '=', jobId).orderBy('id'), toSession),
    list: (filter, limit) => listSessions(scope, filter, limit),
    async addInput(sessionId, input, change) {
      await database
        .insertInto('sessionInputs')
        .values({ sessionId, input: json(input) })
        .execute()
      scope.note(change)
    },
    async lockAdmission() {
      await sql`select pg_advisory_xact_lock(${ADMISSION})`.execute(database)
    },
    spentBy: (jobId) => sumOfCosts(scope, sql`job_id = ${jobId}`),
    spentOn: (jobId, runIds) => sumOfCosts(scope, ofRuns(jobId, runIds)),
    spentSince: (since) => sumOfCosts(scope, sql`created_at >= ${since}`),
    pendingInputs: (sessionIds) => listPending(scope, sessionIds),
  }
}

async function listPending(scope: Scope, sessionIds: readonly SessionId[]): Promise<readonly PendingInput[]> {
  if (sessionIds.length === 0) return []
  return await scope.database
    .selectFrom('sessionInputs')
    .select(['id', 'sessionId', 'input'])
    .where('sessionId', 'in', sessionIds)
    .where('saidAt', 'is', null)
    .orderBy('id')
    .limit(MAX_INPUTS)
    .execute()
}

/** The next batch sends the rest. */
const MAX_INPUTS = 1_000

async function listSessions(scope: Scope, filter: SessionFilter, limit: number): Promise<readonly Session[]> {
  let query = scope.database.selectFrom('sessions').selectAll().orderBy('id', 'desc').limit(limit)
  if (filter.jobId !== undefined) query = query.where('jobId', '=', filter.jobId)
  if (filter.agentName !== undefined) query = query.where('agentName', '=', filter.agentName)
  if (filter.role !== undefined) query = query.where('role', '=', filter.role)
  if (filter.status !== undefined) query = query.where('status', 'in', filter.status)
  if (filter.purpose !== undefined) query = query.where(sql`purpose->>'type'`, '=', filter.purpose)
  if (filter.replyTo !== undefined) query = query.where(sql`purpose->>'replyTo'`, '=', filter.replyTo)
  if (filter.isResumable === true || filter.isAskable === true)
    query = query.where(sql`conversation->>'providerSessionId'`, 'is not', null)
  if (filter.isResumable === true)
    query = query.where('status', '=', 'suspended').where(sql`state->>'resume'`, 'is', null)
  if (filter.isAskable === true) query = query.where('status', 'in', ['suspended', 'terminated'])
  return (await query.execute()).map(toSession)
}

function ofRuns(jobId: JobId, runIds: readonly RunId[]): RawBuilder<unknown> {
  const isOwn = sql`job_id = ${jobId} and purpose->>'attemptId' in (
    select id from attempts where job_id = ${jobId} and purpose->>'runId' = any(${runIds}::text[]))`
  return sql`(${isOwn}) or job_id = ${jobId} and purpose->>'of' in (select id from sessions where ${isOwn})`
}

async function sumOfCosts(scope: Scope, where: RawBuilder<unknown>): Promise<number> {
  const summed = await sql<{ spent: number | null }>`
    select sum((conversation->'usage'->>'costUsd')::float8) as spent from sessions where ${where}`.execute(
    scope.database,
  )
  return summed.rows[0]?.spent ?? 0
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

async function saveConversations(scope: Scope, progress: readonly SpoolProgress[]): Promise<void> {
  const changed = progress.filter((entry) => entry.conversation !== undefined)
  if (changed.length > 0) {
    await sql`
      update sessions set conversation = wanted.conversation
      from unnest(${changed.map((entry) => entry.sessionId)}::text[],
        ${changed.map((entry) => jsonbText(entry.conversation))}::jsonb[]) as wanted (id, conversation)
      where sessions.id = wanted.id`.execute(scope.database)
  }
  const said = progress.flatMap((entry) => entry.said ?? [])
  if (said.length === 0) return
  await sql`update session_inputs set said_at = now() where id = any(${said}::bigint[])`.execute(
    scope.database,
  )
}

function toSession(row: Omit<Database['sessions'], 'status'> & { status: string }): Session {
  const { status: _, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(session: Session) {
  return {
    ...session,
    jobId: session.jobId ?? null,
    admittedAs: session.admittedAs ?? null,
    purpose: json(session.purpose),
    state: json(session.state),
    conversation: json(session.conversation),
    containment: session.containment ?? null,
    startedAt: session.startedAt ?? null,
    deadline: session.deadline ?? null,
    endedAt: session.endedAt ?? null,
  }
}
