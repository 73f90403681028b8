import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { StoredEvent } from '../../../domain/event/event.ts'
import type { EventPlace } from '../../../domain/event/event-place.ts'
import { parseId, type StreamId } from '../../../domain/id.ts'
import type { EncodedEvent, EventFeed, EventFilter, FeedEvent } from '../../../ports/event-feed.ts'
import { EVENT_CHANNEL } from './append-events.ts'
import type { Database } from './database.ts'
import { createWakeUps } from './wake-ups.ts'

type Needs = {
  readonly database: Kysely<Database>
  readonly connection: pg.ClientConfig
  /** Called when the listening connection is lost, which is the first sign that the database is gone. */
  readonly onLost: (error: Error) => void
  /** Called when the connection is back. */
  readonly onRestored?: () => void
}

export type PostgresFeed = EventFeed & { start(): Promise<void>; close(): Promise<void> }

const RECONNECT_MS = 250
/** A dying server may accept a connection and never answer. Without these limits, the feed would wait forever. */
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }

/** Reads the event log and listens for new events on one connection. */
export function createPostgresFeed(needs: Needs): PostgresFeed {
  const wakeUps = createWakeUps()
  let client: pg.Client | undefined
  let isClosed = false

  async function listen(): Promise<void> {
    const opened = new pg.Client({ ...TIMEOUTS, ...needs.connection, application_name: 'muster-feed' })
    opened.on('notification', (note) => wakeUps.wake(note.payload ?? ''))
    opened.on('error', () => undefined) // `end` follows and handles the loss
    try {
      await opened.connect()
      await opened.query(`listen ${EVENT_CHANNEL}`)
    } catch (error) {
      // The server may have accepted the connection and then not answered.
      opened.end().catch(() => undefined)
      throw error
    }
    if (isClosed) return await opened.end()
    opened.on('end', () => reconnect(new Error('the listening connection ended')))
    client = opened
    wakeUps.wakeAll()
  }

  function reconnect(error: Error): void {
    client = undefined
    if (isClosed) return
    needs.onLost(error)
    setTimeout(() => {
      if (!isClosed) listen().then(needs.onRestored, reconnect)
    }, RECONNECT_MS)
  }

  return {
    start: listen,
    async close() {
      isClosed = true
      await client?.end()
    },
    subscribe: (jobId, onWake) => wakeUps.subscribe(jobId, onWake),
    read: (jobId, after, limit, filter) => readOn(needs.database, { jobId, after, limit }, filter),
    readEncoded: (jobId, after, limit, filter) =>
      readEncoded(needs.database, { jobId, after, limit }, filter),
    tail: (jobId, count, filter) => readTail(needs.database, jobId, count, filter),
    readAll: (after, limit) => readAll(needs.database, after, limit),
    latest: () => readNewest(needs.database),
  }
}

const COLUMNS = [
  'streamId',
  'seq',
  'type',
  'cycle',
  'taskId',
  'attemptId',
  'sessionId',
  'data',
  'at',
] as const
type EventRow = Pick<Database['events'], Exclude<(typeof COLUMNS)[number], 'at'>> & { readonly at: Date }

/**
 * The columns of an event that is only passed on. Their names are final and their types need no parsing: both would
 * cost more than reading the row, and this runs for every line of every agent and for every client.
 */
const ENCODED_COLUMNS = sql`stream_id as "streamId", seq, type, cycle, task_id as "taskId", attempt_id as "attemptId",
  session_id as "sessionId", data::text as data, date_part('epoch', at) as seconds`
type EncodedRow = Omit<EventRow, 'data' | 'at'> & { readonly data: string; readonly seconds: number }

function selectEvents(database: Kysely<Database>, jobId: StreamId, filter: EventFilter = {}) {
  let query = database.selectFrom('events').select(COLUMNS).where('streamId', '=', jobId)
  if (filter.taskId !== undefined) query = query.where('taskId', '=', filter.taskId as never)
  if (filter.sessionId !== undefined) query = query.where('sessionId', '=', filter.sessionId as never)
  return query
}

type Place = { readonly jobId: StreamId; readonly after: number; readonly limit: number }

async function readOn(
  database: Kysely<Database>,
  { jobId, after, limit }: Place,
  filter: EventFilter | undefined,
): Promise<readonly StoredEvent[]> {
  const following = selectEvents(database, jobId, filter).where('seq', '>', after).orderBy('seq')
  // The sequence has no gaps, so the end of the page is known. Without this bound, a query planner without statistics
  // would fetch and sort all later events for every page.
  const page = filter === undefined ? following.where('seq', '<=', after + limit) : following.limit(limit)
  return toEvents(await page.execute())
}

async function readEncoded(
  database: Kysely<Database>,
  { jobId, after, limit }: Place,
  { taskId, sessionId }: EventFilter = {},
): Promise<readonly EncodedEvent[]> {
  const isWhole = taskId === undefined && sessionId === undefined
  const rows = await sql<EncodedRow>`
    select ${ENCODED_COLUMNS} from events where stream_id = ${jobId} and seq > ${after}
      ${taskId === undefined ? sql`` : sql`and task_id = ${taskId}`}
      ${sessionId === undefined ? sql`` : sql`and session_id = ${sessionId}`}
      ${isWhole ? sql`and seq <= ${after + limit}` : sql``}
    order by seq ${isWhole ? sql`` : sql`limit ${limit}`}`.execute(database.withoutPlugins())
  return rows.rows.map(toEncoded)
}

async function readTail(
  database: Kysely<Database>,
  jobId: StreamId,
  count: number,
  filter: EventFilter | undefined,
): Promise<readonly StoredEvent[]> {
  if (filter === undefined) {
    const stream = await sql<{ seq: number }>`select seq from streams where id = ${jobId}`.execute(database)
    const last = stream.rows[0]?.seq ?? 0
    return await readOn(database, { jobId, after: Math.max(0, last - count), limit: count }, undefined)
  }
  const rows = await selectEvents(database, jobId, filter).orderBy('seq', 'desc').limit(count).execute()
  return toEvents(rows.reverse())
}

/**
 * Transactions don't commit in the order in which they start. The feed of all streams therefore reads in the order of
 * transactions, and only those older than every open one, so that no event can appear behind a reader.
 */
async function readAll(
  database: Kysely<Database>,
  after: string | undefined,
  limit: number,
): Promise<readonly FeedEvent[]> {
  const [transaction = '0', position = '0'] = after?.split('.') ?? []
  const rows = await sql<EncodedRow & { transaction: string; position: number }>`
    select ${ENCODED_COLUMNS}, transaction_id::text as transaction, position
    from events
    where (transaction_id, position) > (${transaction}::xid8, ${position}::bigint)
      and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by events.transaction_id, position limit ${limit}`.execute(database.withoutPlugins())
  return rows.rows.map((row) => ({ ...toEncoded(row), cursor: `${row.transaction}.${row.position}` }))
}

async function readNewest(database: Kysely<Database>): Promise<string | undefined> {
  const newest = await sql<{ cursor: string }>`
    select transaction_id::text || '.' || position as cursor from events
    where transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by events.transaction_id desc, position desc limit 1`.execute(database)
  return newest.rows[0]?.cursor
}

function toEvents(rows: readonly EventRow[]): readonly StoredEvent[] {
  return rows.map(toEvent)
}

function toEvent(row: EventRow): StoredEvent {
  // Only builders write to the log.
  return { ...placeOf(row), seq: row.seq, type: row.type, at: row.at, data: row.data } as StoredEvent
}

function toEncoded(row: EncodedRow): EncodedEvent {
  // Microseconds survive as a float's seconds only if they are rounded.
  const at = new Date(Math.floor(Math.round(row.seconds * 1e6) / 1000))
  return { ...placeOf(row), seq: row.seq, type: row.type, at, data: row.data }
}

function placeOf({
  streamId,
  cycle,
  taskId,
  attemptId,
  sessionId,
}: Omit<EventRow, 'data' | 'at'>): EventPlace {
  return {
    ...jobOf(streamId),
    ...(cycle === null ? undefined : { cycle }),
    ...(taskId === null ? undefined : { taskId }),
    ...(attemptId === null ? undefined : { attemptId }),
    ...(sessionId === null ? undefined : { sessionId }),
  }
}

/** A session outside any job has its own stream. */
function jobOf(stream: StreamId): Pick<StoredEvent, 'jobId'> {
  const jobId = parseId('job', stream)
  return jobId === undefined ? {} : { jobId }
}
