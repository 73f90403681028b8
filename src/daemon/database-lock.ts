import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DAEMON_PERIODS } from '../domain/limits/daemon-periods.ts'
import { failure, type Result, success } from '../domain/result.ts'
import type { Log } from '../ports/log.ts'
import { checkOf, type Fence, isRefusal } from './compose.ts'
import { applicationNameOf, type LockHolder, type LockOwner, readHolder } from './lock-holder.ts'
import type { PostgresConnection } from './postgres/postgres-server.ts'

/** Advisory locks are local to one database, so a fixed pair of numbers is enough. The first spells MUST. */
const LOCK = [0x4d555354, 1] as const

const RETRY_MS = 250
/** The server notices a crashed machine within about 25 seconds; this daemon waits for a predecessor in its home. */
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
 * Makes this the only daemon of its database, or returns who is. Changes nothing in the database. Contract: the lock
 * lasts as long as its connection, which the server closes when the process ends, however it ends.
 */
export async function takeDatabaseLock(needs: Needs): Promise<Result<DatabaseLock, DatabaseLockFailure>> {
  const deadline = Date.now() + PREDECESSOR_MS
  for (;;) {
    const taken = await tryLock(needs).catch(unavailable)
    if (taken.ok) return success(new DatabaseLock(needs, taken.value))
    const { failure: failed } = taken
    // This process owns the home, so another process of the same home is dead and its connection is about to close.
    const isPredecessor = failed.type === 'database-taken' && failed.holder.homeId === needs.owner.homeId
    if (!isPredecessor || Date.now() > deadline) return taken
    await sleep(RETRY_MS)
  }
}

export type LockEvents = {
  /** Checked when the lock is retaken: the same address may lead to another database by now. */
  readonly fence?: Fence
  /** The connection broke and the lock was retaken. */
  readonly onRetaken: () => void
  /** Another daemon took the lock in the meantime: this one must stop. */
  readonly onTaken: (holder: LockHolder) => void
}

/** The lock while it is held, and its recovery after the connection broke. */
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

  /** While this is false, nothing may start or be decided: another daemon may own the database. */
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

  /** A half-open connection reports nothing by itself; a missing response closes it. */
  #tryConnection(): void {
    const client = this.#client
    client?.query('select 1').catch(() => client.end().catch(() => undefined))
  }

  async #retake(): Promise<void> {
    this.#needs.log.warn({}, 'the database lock is lost; no work is done until it is retaken')
    while (!this.#closing.signal.aborted) {
      const taken = await tryLock(this.#needs, this.#events?.fence).catch(unavailable)
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
    this.#needs.log.info({}, 'the database lock is retaken')
    this.#events?.onRetaken()
  }
}

async function tryLock(needs: Needs, fence?: Fence): Promise<Result<pg.Client, DatabaseLockFailure>> {
  const client = await connect(needs)
  try {
    await client.query(KEEPALIVE)
    const { rows } = await client.query<{ locked: boolean; backend: number }>(
      'select pg_try_advisory_lock($1, $2) as locked, pg_backend_pid() as backend',
      [...LOCK],
    )
    const { locked = false, backend = 0 } = rows[0] ?? {}
    if (locked && fence !== undefined) await client.query(checkOf(fence))
    if (locked && !(await isShared(needs, client, backend))) return success(client)
    const refusal: DatabaseLockFailure = locked
      ? { type: 'connections-pooled' }
      : { type: 'database-taken', holder: await readHolder(client, LOCK) }
    await client.end()
    return failure(refusal)
  } catch (error) {
    await client.end().catch(() => undefined)
    if (fence !== undefined && isRefusal(error)) fence.onRefused()
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
  client.on('error', () => undefined) // `end` follows and handles the loss
  await client.connect()
  return client
}

/**
 * Whether a pooler shares the server connection that holds the lock with other clients, as in transaction mode. A
 * direct connection knows its server process from the start; only behind a pooler does that differ.
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
