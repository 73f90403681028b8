import { sql } from 'kysely'
import type { Claim, Message } from '../../../domain/message/message.ts'
import { addressesOf } from '../../../domain/message/recipient.ts'
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
      const { state, deliveredAt, endedAt } = columnsOf(message)
      return saveRow(scope, 'message', message, { state, deliveredAt, endedAt }, change)
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
  }
}

type Listing = Pick<MessageRecords, 'listDue' | 'listForEngine' | 'listUnread' | 'listWaiting' | 'list'>

function listing({ database }: Scope): Listing {
  const select = () => database.selectFrom('messages').selectAll()
  return {
    listDue: (session, limit) =>
      listRows(
        select()
          .where('recipient', 'in', addressesOf(session))
          .where('sender', '<>', session.id)
          .where(sql<boolean>`job_id is not distinct from ${session.jobId ?? null}`)
          .where(
            sql<boolean>`(status = 'queued' or (status = 'delivered' and (state->>'to' = ${session.id}
            or exists (select from sessions reader
              where reader.id = messages.state->>'to' and reader.status = 'terminated'))))`,
          )
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

/** The parts of a filter that compare a column with a value. */
function equalities({ jobId, sender, recipient, kind }: MessageFilter) {
  return Object.entries({ jobId, sender, recipient, kind }).filter(
    (entry): entry is ['jobId' | 'sender' | 'recipient' | 'kind', never] => entry[1] !== undefined,
  )
}

type MessageRow = Omit<Database['messages'], 'status' | 'position'> & { status: string; position: number }

function toMessage(row: MessageRow): Message {
  const { status: _, position: __, ...fields } = row
  // A message is stored with the metadata of its kind.
  return withoutNulls(fields) as Message
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
