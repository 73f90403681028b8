import { sql } from 'kysely'
import type { Message } from '../../../domain/message/message.ts'
import { addressesOf } from '../../../domain/message/recipient.ts'
import type { MessageFilter, MessageRecords } from '../../../ports/store/message-records.ts'
import type { Database } from './database.ts'
import { json, requireOneRow, type Scope, withoutNulls } from './scope.ts'

export function createMessageRecords(scope: Scope): MessageRecords {
  const { database } = scope
  const select = () => database.selectFrom('messages').selectAll()
  return {
    async insert(message, change) {
      await database.insertInto('messages').values(columnsOf(message)).execute()
      scope.note(change)
      return message
    },
    async save(message, change) {
      const { state, deliveredAt, endedAt } = columnsOf(message)
      const updated = await database
        .updateTable('messages')
        .set({ state, deliveredAt, endedAt, version: message.version + 1 })
        .where('id', '=', message.id)
        .where('version', '=', message.version)
        .executeTakeFirst()
      requireOneRow(updated.numUpdatedRows, 'message', message.id)
      scope.note(change)
      return { ...message, version: message.version + 1 }
    },
    async find(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toMessage(row)
    },
    async findByKey(sender, dedupeKey) {
      const row = await select()
        .where('sender', '=', sender)
        .where('dedupeKey', '=', dedupeKey)
        .executeTakeFirst()
      return row === undefined ? undefined : toMessage(row)
    },
    async findAnswer(question) {
      const row = await select()
        .where('inReplyTo', '=', question)
        .where('kind', '=', 'answer')
        .executeTakeFirst()
      return row === undefined ? undefined : toMessage(row)
    },
    async findLatest(sender, kind) {
      const row = await select()
        .where('sender', '=', sender)
        .where('kind', '=', kind)
        .where('status', '<>', 'failed')
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? undefined : toMessage(row)
    },
    async countFrom(sender) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`messages ${sender}`}, 0))`.execute(database)
      const counted = await sql<{
        count: number
      }>`select count(*) as count from messages where sender = ${sender}`.execute(database)
      return counted.rows[0]?.count ?? 0
    },
    ...listing(scope),
  }
}

type Listing = Pick<MessageRecords, 'listDue' | 'listForEngine' | 'listUnread' | 'list'>

function listing({ database }: Scope): Listing {
  const select = () => database.selectFrom('messages').selectAll()
  return {
    async listDue(session, limit) {
      const rows = await select()
        .where('recipient', 'in', addressesOf(session))
        .where('sender', '<>', session.id)
        .where(sql<boolean>`job_id is not distinct from ${session.jobId ?? null}`)
        .where(
          sql<boolean>`(status = 'queued' or (status = 'delivered' and (state->>'to' = ${session.id}
            or exists (select from sessions reader
              where reader.id = messages.state->>'to' and reader.status = 'terminated'))))`,
        )
        .orderBy('position')
        .limit(limit)
        .execute()
      return rows.map(toMessage)
    },
    async listForEngine(sender) {
      const rows = await select()
        .where('recipient', '=', 'engine')
        .where('sender', '=', sender)
        .where('status', 'in', ['queued', 'delivered'])
        .orderBy('position')
        .execute()
      return rows.map(toMessage)
    },
    async listUnread(recipient) {
      const rows = await select()
        .where('recipient', '=', recipient)
        .where('status', 'in', ['queued', 'delivered'])
        .orderBy('position')
        .execute()
      return rows.map(toMessage)
    },
    async list(filter, page) {
      let query = select().orderBy('id', 'desc').limit(page.limit)
      if (page.cursor !== undefined) query = query.where('id', '<', page.cursor as Message['id'])
      for (const [column, value] of equalities(filter)) query = query.where(column, '=', value)
      const { sessionId } = filter
      if (sessionId !== undefined) {
        query = query.where((where) =>
          where.or([where('sender', '=', sessionId), where('recipient', '=', sessionId)]),
        )
      }
      return (await query.execute()).map(toMessage)
    },
  }
}

/** The parts of a filter that are columns compared with a value. */
function equalities({ jobId, sender, recipient, kind }: MessageFilter) {
  return Object.entries({ jobId, sender, recipient, kind }).filter(
    (entry): entry is ['jobId' | 'sender' | 'recipient' | 'kind', never] => entry[1] !== undefined,
  )
}

type MessageRow = Omit<Database['messages'], 'status' | 'position'> & { status: string; position: number }

function toMessage(row: MessageRow): Message {
  const { status: _, position: __, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(message: Message) {
  return {
    ...message,
    jobId: message.jobId ?? null,
    metadata: json(message.metadata),
    inReplyTo: message.inReplyTo ?? null,
    dedupeKey: message.dedupeKey ?? null,
    state: json(message.state),
    deliveredAt: message.deliveredAt ?? null,
    endedAt: message.endedAt ?? null,
  }
}
