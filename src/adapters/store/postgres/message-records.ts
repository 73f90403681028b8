import { sql } from 'kysely'
import type { Claim, Message } from '../../../domain/message/message.ts'
import { MESSAGE_PRIORITIES } from '../../../domain/message/message-type.ts'
import { addressesOf, jobAddressesOf } from '../../../domain/message/recipient.ts'
import type { MessageFilter, MessageRecords } from '../../../ports/store/message-records.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createMessageRecords(scope: Scope): MessageRecords {
  const { database } = scope
  const select = () => database.selectFrom('messages').selectAll()
  return {
    async insert(message, change) {
      await database.insertInto('messages').values(columnsOf(message)).execute()
      scope.note(change)
      return message
    },
    save(message, change) {
      const { state, deliveredAt, endedAt, overdueAt } = columnsOf(message)
      return saveRow(scope, 'message', message, { state, deliveredAt, endedAt, overdueAt }, change)
    },
    async insertBody({ id, jobId, text }) {
      await database
        .insertInto('messageBodies')
        .values({ id, jobId: jobId ?? null, text })
        .execute()
    },
    async findBody(id) {
      const row = await database
        .selectFrom('messageBodies')
        .select('text')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.text
    },
    async wholeBytesFrom(sender) {
      const counted = await sql<{ bytes: number | null }>`
        select sum(bytes)::bigint as bytes from (select distinct body_id, (whole_body->>'bytes')::bigint as bytes
          from messages where sender = ${sender} and body_id is not null) as bodies`.execute(database)
      return Number(counted.rows[0]?.bytes ?? 0)
    },
    find: (id) => findRow(select().where('id', '=', id), toMessage),
    findByKey: (sender, dedupeKey) =>
      findRow(select().where('sender', '=', sender).where('dedupeKey', '=', dedupeKey), toMessage),
    findAnswer: (question) =>
      findRow(select().where('inReplyTo', '=', question).where('kind', '=', 'answer'), toMessage),
    findClaim: (sender) =>
      findRow(
        select()
          .where('sender', '=', sender)
          .where('kind', '=', 'complete')
          .where('status', '<>', 'failed')
          .orderBy('position', 'desc')
          .limit(1),
        (row) => toMessage(row) as Claim,
      ),
    async countFrom(sender) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`messages ${sender}`}, 0))`.execute(database)
      const counted = await sql<{
        count: number
      }>`select count(*) as count from messages where sender = ${sender}`.execute(database)
      return counted.rows[0]?.count ?? 0
    },
    ...listing(scope),
    ...searching(scope),
  }
}

type Listing = Pick<MessageRecords, 'listDue' | 'listForEngine' | 'listUnread' | 'listWaiting'>
type Searching = Pick<MessageRecords, 'listUnreplied' | 'listDeadlines' | 'list'>

const UNREPLIED = sql<boolean>`not exists (select from messages reply where reply.in_reply_to = messages.id)`
const RANK = sql<number>`array_position(${sql.lit(`{${MESSAGE_PRIORITIES.join(',')}}`)}::text[], priority)`

function listing({ database }: Scope): Listing {
  const select = () => database.selectFrom('messages').selectAll()
  return {
    listDue: (session, runId, limit) =>
      listRows(
        select()
          .where((where) =>
            where.or([
              where('recipient', 'in', addressesOf(session)),
              where.and([
                where('recipient', 'in', jobAddressesOf(session)),
                sql<boolean>`not starts_with(thread_id, 'run_')`,
              ]),
            ]),
          )
          .where('sender', '<>', session.id)
          .where(sql<boolean>`job_id is not distinct from ${session.jobId ?? null}`)
          .where(
            sql<boolean>`(recipient = ${session.id} or not starts_with(thread_id, 'run_')
            or thread_id = ${runId ?? null})`,
          )
          .where(
            sql<boolean>`(status = 'queued' or (status = 'delivered' and (state->>'to' = ${session.id}
            or exists (select from sessions reader
              where reader.id = messages.state->>'to' and reader.status = 'terminated'))))`,
          )
          .orderBy(RANK)
          .orderBy('position')
          .limit(limit),
        toMessage,
      ),
    listForEngine: (sender) =>
      listRows(
        select()
          .where('recipient', '=', 'engine')
          .where('sender', '=', sender)
          .where('status', 'in', ['queued', 'delivered'])
          .orderBy('position'),
        toMessage,
      ),
    listUnread: (recipient) =>
      listRows(
        select()
          .where('recipient', '=', recipient)
          .where('status', 'in', ['queued', 'delivered'])
          .orderBy('position'),
        toMessage,
      ),
    listWaiting: (jobId) =>
      listRows(
        select()
          .where('jobId', '=', jobId)
          .where(
            sql<boolean>`(recipient like 'agent:%' or recipient like 'role:%'
            or (recipient = 'person' and kind = 'question'))`,
          )
          .where('status', 'in', ['queued', 'delivered'])
          .orderBy('position'),
        toMessage,
      ),
  }
}

function searching({ database }: Scope): Searching {
  const select = () => database.selectFrom('messages').selectAll()
  return {
    listUnreplied: (id) =>
      listRows(
        select()
          .where(sql<boolean>`(broadcast_id = ${id} or (id = ${id} and recipient <> 'broadcast'))`)
          .where(UNREPLIED)
          .orderBy('position'),
        toMessage,
      ),
    listDeadlines: (limit) =>
      listRows(
        select()
          .where('deadline', 'is not', null)
          .where('overdueAt', 'is', null)
          .where(UNREPLIED)
          .orderBy('deadline')
          .limit(limit),
        toMessage,
      ),
    async list(filter, page) {
      let query = select().orderBy('id', 'desc').limit(page.limit)
      if (page.cursor !== undefined) query = query.where('id', '<', page.cursor as Message['id'])
      for (const [column, value] of equalities(filter)) query = query.where(column, '=', value)
      const { sessionId, role, since } = filter
      if (filter.isConversation === true) query = query.where('broadcastId', 'is', null)
      if (since !== undefined) query = query.where('createdAt', '>=', since)
      if (role !== undefined) {
        query = query.where((where) =>
          where.or([
            where('senderRole', '=', role),
            where('recipientRole', '=', role),
            where('recipient', '=', `role:${role}`),
          ]),
        )
      }
      if (sessionId !== undefined) {
        query = query.where((where) =>
          where.or([where('sender', '=', sessionId), where('recipient', '=', sessionId)]),
        )
      }
      return (await query.execute()).map(toMessage)
    },
  }
}

/** The parts of a filter that compare a column with a value. */
function equalities({ jobId, sender, recipient, kind, type, threadId }: MessageFilter) {
  const values = { jobId, sender, recipient, kind, type, threadId }
  return Object.entries(values).filter(
    (entry): entry is [keyof typeof values, never] => entry[1] !== undefined,
  )
}

type MessageRow = Omit<Database['messages'], 'status' | 'position' | 'bodyId'> & {
  status: string
  position: number
  bodyId: string | null
}

function toMessage(row: MessageRow): Message {
  const { status: _, position: __, bodyId: ___, ...fields } = row
  // A message is stored with the metadata of its kind.
  return withoutNulls(fields) as Message
}

function columnsOf(message: Message) {
  return {
    ...message,
    jobId: message.jobId ?? null,
    metadata: json(message.metadata),
    senderRole: message.senderRole ?? null,
    recipientRole: message.recipientRole ?? null,
    wholeBody: message.wholeBody === undefined ? null : json(message.wholeBody),
    inReplyTo: message.inReplyTo ?? null,
    broadcastId: message.broadcastId ?? null,
    deadline: message.deadline ?? null,
    overdueAt: message.overdueAt ?? null,
    dedupeKey: message.dedupeKey ?? null,
    state: json(message.state),
    deliveredAt: message.deliveredAt ?? null,
    endedAt: message.endedAt ?? null,
  }
}
