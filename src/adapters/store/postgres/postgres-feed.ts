import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { StoredEvent } from '../../../domain/event/event.ts'
import { parseId, type StreamId } from '../../../domain/id.ts'
import type { EventFeed, EventFilter, FeedEvent } from '../../../ports/event-feed.ts'
import { EVENT_CHANNEL } from './append-events.ts'
import type { Database } from './database.ts'
import { createWakeUps } from './wake-ups.ts'

type Needs = {
  readonly database: Kysely<Database>
  readonly connection: pg.ClientConfig
  /** Told each time the listening connection is lost: the first sign that the database went away. */
  readonly onLost: (error: Error) => void
  /** Told when it is there again. */
  readonly onRestored?: () => void
}

export type PostgresFeed = EventFeed & { start(): Promise<void>; close(): Promise<void> }

const RECONNECT_MS = 250
/** A dying server may take a connection and never answer on it: without these, nobody would try again. */
const IMPATIENCE = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }

/** Reads the log, and listens on one connection for its growth. */
export function createPostgresFeed(needs: Needs): PostgresFeed {
  const wakeUps = createWakeUps()
  let client: pg.Client | undefined
  let isClosed = false

  async function listen(): Promise<void> {
    const opened = new pg.Client({ ...needs.connection, ...IMPATIENCE, application_name: 'muster-feed' })
    opened.on('notification', (note) => wakeUps.wake(note.payload ?? ''))
    opened.on('error', () => undefined) // followed by `end`, which is where a loss is handled
    await opened.connect()
    await opened.query(`listen ${EVENT_CHANNEL}`)
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
  // The sequence has no gaps, so a page's end is known; without it a planner that has no statistics yet
  // fetches everything after the place and sorts it, for every page.
  const page = filter === undefined ? following.where('seq', '<=', after + limit) : following.limit(limit)
  return toEvents(await page.execute())
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
 * Commit order is not sequence order, so a feed over all streams reads in the order of transactions, and only
 * those older than every transaction still open: nothing can appear before a place already read.
 */
async function readAll(
  database: Kysely<Database>,
  after: string | undefined,
  limit: number,
): Promise<readonly FeedEvent[]> {
  const [transaction = '0', position = '0'] = after?.split('.') ?? []
  const rows = await sql<EventRow & { transactionId: string; position: number }>`
    select stream_id, seq, type, cycle, task_id, attempt_id, session_id, data, at,
      transaction_id::text as transaction_id, position
    from events
    where (transaction_id, position) > (${transaction}::xid8, ${position}::bigint)
      and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by events.transaction_id, position limit ${limit}`.execute(database)
  return rows.rows.map(({ transactionId, position: place, ...row }) => ({
    ...toEvent(row),
    cursor: `${transactionId}.${place}`,
  }))
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
  const { seq, at, data, cycle, taskId, attemptId, sessionId } = row
  // Written out, because this runs for every line that every agent prints. Only builders write to the log.
  const event = {
    seq,
    type: row.type,
    ...jobOf(row.streamId),
    ...(cycle === null ? undefined : { cycle }),
    ...(taskId === null ? undefined : { taskId }),
    ...(attemptId === null ? undefined : { attemptId }),
    ...(sessionId === null ? undefined : { sessionId }),
    at,
    data,
  }
  return event as StoredEvent
}

/** A session outside of any job has a stream of its own. */
function jobOf(stream: StreamId): Pick<StoredEvent, 'jobId'> {
  const jobId = parseId('job', stream)
  return jobId === undefined ? {} : { jobId }
}
