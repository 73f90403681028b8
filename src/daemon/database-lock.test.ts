import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../test/support/silent-log.ts'
import { createTestDatabase } from '../../test/support/test-database.ts'
import { type DatabaseLock, takeDatabaseLock } from './database-lock.ts'
import { applicationNameOf, type LockHolder, lockOwnerOf } from './lock-holder.ts'
import type { PostgresConnection } from './postgres/postgres-server.ts'

const ADA = lockOwnerOf('/home/ada/.local/share/muster', 'a')
const BOB = lockOwnerOf('/home/bob/.local/share/muster', 'b')

const take = (connection: PostgresConnection, owner = ADA) =>
  takeDatabaseLock({ log: silentLog, connection, owner })

async function mustTake(connection: PostgresConnection, owner = ADA): Promise<DatabaseLock> {
  const taken = await take(connection, owner)
  if (!taken.ok) throw new Error(JSON.stringify(taken.failure))
  return taken.value
}

async function connected(connection: PostgresConnection): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Ends the connection that holds the lock, in this database of the shared server only. */
const BREAK = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
  and classid = 1297437524 and database = (select oid from pg_database where datname = current_database())`

describe('the lock on a database', () => {
  it('keeps a second daemon out and names the first', async () => {
    const connection = await createTestDatabase()
    await using _lock = await mustTake(connection)

    expect(await take(connection, BOB)).toMatchObject({
      ok: false,
      failure: { type: 'database-taken', holder: { home: ADA.home, homeId: ADA.homeId, pid: process.pid } },
    })
  })

  it('is separate for each database of a server', async () => {
    await using _first = await mustTake(await createTestDatabase())
    await using second = await mustTake(await createTestDatabase(), BOB)
    expect(second.isHeld).toBe(true)
  })

  it('is free again after the daemon has closed it', async () => {
    const connection = await createTestDatabase()
    const first = await mustTake(connection)
    await first[Symbol.asyncDispose]()
    await using second = await mustTake(connection, BOB)
    expect(second.isHeld).toBe(true)
  })

  it('waits for the connection of a dead predecessor in the same home to end', async () => {
    const connection = await createTestDatabase()
    const predecessor = await mustTake(connection)
    const taking = mustTake(connection)
    await predecessor[Symbol.asyncDispose]()
    await using lock = await taking
    expect(lock.isHeld).toBe(true)
  })

  it('is retaken when its connection breaks', async () => {
    const connection = await createTestDatabase()
    await using lock = await mustTake(connection)
    await using other = await connected(connection)
    const retaken = new Promise<void>((resolve, reject) =>
      lock.watch({ onRetaken: resolve, onTaken: () => reject(new Error('taken')) }),
    )
    await other.query(BREAK)
    await retaken
    expect(lock.isHeld).toBe(true)
    expect(await take(connection, BOB)).toMatchObject({ failure: { type: 'database-taken' } })
  })

  it('reports the daemon that took it while its connection was broken', async () => {
    const connection = await createTestDatabase()
    await using lock = await mustTake(connection)
    await using other = await connected(connection)
    await using next = await connected(connection)
    // Waits in the server for the lock, so it is the next holder.
    await next.query(`set application_name = '${applicationNameOf(BOB)}'`)
    const waiting = next.query('select pg_advisory_lock(1297437524, 1)')
    await other.query(BREAK)
    await waiting
    const holder = await new Promise<LockHolder>((resolve, reject) =>
      lock.watch({ onTaken: resolve, onRetaken: () => reject(new Error('retaken')) }),
    )
    expect(holder).toMatchObject({ home: BOB.home })
    expect(lock.isHeld).toBe(false)
  })

  it('is refused behind a pooler that shares a connection between clients', async () => {
    const connection = await createTestDatabase()
    await using pooler = await openPooler(connection)
    expect(await take({ ...connection, host: '127.0.0.1', port: pooler.port } as PostgresConnection)).toEqual(
      {
        ok: false,
        failure: { type: 'connections-pooled' },
      },
    )
  })

  it('names a home by its end when the path is long', () => {
    const name = applicationNameOf({ home: `/${'deep/'.repeat(30)}home`, homeId: '01234567' })
    expect(name).toHaveLength(63)
    expect(name).toMatch(/^muster 01234567 \d+@\S+ \.\.\..*deep\/home$/)
  })
})

/** Pools as PgBouncer does in transaction mode: it admits every client and serves all with one connection. */
async function openPooler(
  connection: PostgresConnection,
): Promise<AsyncDisposable & { readonly port: number }> {
  const { host, port, user, database } = connection as Exclude<
    PostgresConnection,
    { connectionString: string }
  >
  const behind = connect(`${host}/.s.PGSQL.${port}`)
  behind.write(startup(user, database))
  const turns: { client: Socket; request: Buffer }[] = []
  let serving: Socket | undefined
  let isReady = false
  const serveNext = () => {
    const turn = isReady ? turns.shift() : undefined
    if (turn === undefined) return
    serving = turn.client
    isReady = false
    behind.write(turn.request)
  }
  onMessages(behind, false, (message) => {
    serving?.write(message)
    if (message[0] !== 'Z'.charCodeAt(0)) return
    isReady = true
    serveNext()
  })
  const server: Server = createServer((client) => {
    let request = Buffer.alloc(0)
    client.on('error', () => undefined)
    onMessages(client, true, (message, isFirst) => {
      if (isFirst) return void client.write(WELCOME)
      const type = String.fromCharCode(message[0] ?? 0)
      if (type === 'X') return void client.end()
      request = Buffer.concat([request, message])
      if (type !== 'Q' && type !== 'S') return
      turns.push({ client, request })
      request = Buffer.alloc(0)
      serveNext()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      behind.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Splits PostgreSQL's protocol into messages; a client's first message has no type. */
function onMessages(socket: Socket, hasStartup: boolean, hear: (message: Buffer, isFirst: boolean) => void) {
  let rest = Buffer.alloc(0)
  let isFirst = hasStartup
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isFirst ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      hear(message, isFirst)
      isFirst = false
    }
  })
}

function startup(user: string, database: string): Buffer {
  const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0\0`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

/** Admits the client with a made-up process number, as poolers do. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\x7f\0\0\x01\0\0\0\x01Z\0\0\0\x05I', 'latin1')
