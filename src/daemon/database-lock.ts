import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DAEMON_PERIODS } from '../domain/limits/daemon-periods.ts'
import { failure, type Result, success } from '../domain/result.ts'
import type { Log } from '../ports/log.ts'
import { applicationNameOf, type LockHolder, type LockOwner, readHolder } from './lock-holder.ts'
import type { PostgresConnection } from './postgres/postgres-server.ts'

/** Advisory locks are local to one database, so a fixed pair of numbers names its daemon. The first spells MUST. */
const LOCK = [0x4d555354, 1] as const

const RETRY_MS = 250
/** The server notices a crashed machine within about 25 seconds; a predecessor in the same home is waited for. */
const KEEPALIVE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
const PREDECESSOR_MS = 30_000
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }

export type DatabaseLockFailure =
  | { readonly type: 'database-taken'; readonly holder: LockHolder }
  | { readonly type: 'connections-pooled' }
  | { readonly type: 'lock-unavailable'; readonly problem: string }

type Needs = {
  readonly log: Log
  readonly connection: PostgresConnection
  readonly owner: LockOwner
}

/**
 * Makes this the only daemon of its database, or says who is. Nothing in the database is changed. Contract: the
 * lock lasts as long as its connection, which the server ends with the process, however the process dies.
 */
export async function takeDatabaseLock(needs: Needs): Promise<Result<DatabaseLock, DatabaseLockFailure>> {
  const deadline = Date.now() + PREDECESSOR_MS
  for (;;) {
    const taken = await tryLock(needs).catch(unavailable)
    if (taken.ok) return success(new DatabaseLock(needs, taken.value))
    const { failure: failed } = taken
    // This process owns the home, so another process of the same home is dead and its connection is about to end.
    const isPredecessor = failed.type === 'database-taken' && failed.holder.homeId === needs.owner.homeId
    if (!isPredecessor || Date.now() > deadline) return taken
    await sleep(RETRY_MS)
  }
}

export type LockEvents = {
  /** The connection broke and the lock was taken again. */
  readonly onRetaken: () => void
  /** Another daemon took the lock in the meantime: this one must stop. */
  readonly onTaken: (holder: LockHolder) => void
}

/** The lock while it is held, and the effort to take it again after its connection broke. */
export class DatabaseLock implements AsyncDisposable {
  readonly #needs: Needs
  readonly #closing = new AbortController()
  #events: LockEvents | undefined
  #client: pg.Client | undefined
  #retaking: Promise<void> | undefined
  #takenBy: LockHolder | undefined
  readonly #probe: NodeJS.Timeout

  constructor(needs: Needs, client: pg.Client) {
    this.#needs = needs
    this.#hold(client)
    this.#probe = setInterval(() => this.#tryConnection(), DAEMON_PERIODS.lockProbeMs).unref()
  }

  /** While this is false, nothing may be started or decided: another daemon may own the database. */
  get isHeld(): boolean {
    return this.#client !== undefined
  }

  watch(events: LockEvents): void {
    this.#events = events
    if (this.#takenBy !== undefined) events.onTaken(this.#takenBy)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#probe)
    await this.#retaking
    await this.#client?.end().catch(() => undefined)
  }

  #hold(client: pg.Client): void {
    this.#client = client
    client.once('end', () => {
      this.#client = undefined
      if (!this.#closing.signal.aborted) this.#retaking = this.#retake()
    })
  }

  /** A half-open connection reports nothing by itself; an answer that does not come ends it. */
  #tryConnection(): void {
    const client = this.#client
    client?.query('select 1').catch(() => client.end().catch(() => undefined))
  }

  async #retake(): Promise<void> {
    this.#needs.log.warn({}, 'the lock on the database is lost; no work is taken until it is back')
    while (!this.#closing.signal.aborted) {
      const taken = await tryLock(this.#needs).catch(unavailable)
      if (taken.ok) return this.#retaken(taken.value)
      const { failure: failed } = taken
      if (failed.type === 'database-taken' && failed.holder.homeId !== this.#needs.owner.homeId) {
        this.#takenBy = failed.holder
        return this.#events?.onTaken(failed.holder)
      }
      await sleep(RETRY_MS)
    }
  }

  #retaken(client: pg.Client): void {
    this.#hold(client)
    this.#needs.log.info({}, 'the lock on the database is back')
    this.#events?.onRetaken()
  }
}

async function tryLock(needs: Needs): Promise<Result<pg.Client, DatabaseLockFailure>> {
  const client = await connect(needs)
  try {
    await client.query(KEEPALIVE)
    const { rows } = await client.query<{ locked: boolean; backend: number }>(
      'select pg_try_advisory_lock($1, $2) as locked, pg_backend_pid() as backend',
      [...LOCK],
    )
    const { locked = false, backend = 0 } = rows[0] ?? {}
    if (locked && !(await isShared(needs, client, backend))) return success(client)
    const refusal: DatabaseLockFailure = locked
      ? { type: 'connections-pooled' }
      : { type: 'database-taken', holder: await readHolder(client, LOCK) }
    await client.end()
    return failure(refusal)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

function unavailable(error: unknown): Result<never, DatabaseLockFailure> {
  return failure({
    type: 'lock-unavailable',
    problem: error instanceof Error ? error.message : String(error),
  })
}

async function connect(needs: Needs): Promise<pg.Client> {
  const client = new pg.Client({
    ...needs.connection,
    ...TIMEOUTS,
    keepAlive: true,
    application_name: applicationNameOf(needs.owner),
  })
  client.on('error', () => undefined) // followed by `end`, which is where a loss is handled
  await client.connect()
  return client
}

/**
 * Whether a pooler gives the server connection that holds the lock to other clients too, as poolers do between
 * transactions. A direct connection knows the process that serves it from the start; only a pooler differs there.
 */
async function isShared(needs: Needs, client: pg.Client, backend: number): Promise<boolean> {
  if ((client as pg.Client & { readonly processID?: number }).processID === backend) return false
  const other = await connect(needs)
  try {
    const { rows } = await other.query<{ backend: number }>('select pg_backend_pid() as backend')
    return rows[0]?.backend === backend
  } finally {
    await other.end()
  }
}
