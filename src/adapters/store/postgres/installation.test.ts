import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createEmptyDatabase, createTestDatabase } from '../../../../test/support/test-database.ts'
import { fencedOptions } from './fence.ts'
import { readInstallation, takeOwnership } from './installation.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const ADA = { homeId: 'a1', home: '/home/ada/muster' }
const BOB = { homeId: 'b2', home: '/home/bob/muster' }

async function run(connection: object, ...statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  try {
    return await client.query(statements.join(';'))
  } finally {
    await client.end()
  }
}

async function migrated(connection: object): Promise<void> {
  const database = openDatabase({ ...connection }, () => undefined)
  const done = await migrate(database)
  await database.destroy()
  if (!done.ok) throw new Error(JSON.stringify(done.failure))
}

describe('what a database contains', () => {
  it('is nothing of ours, even beside an application that uses the same migration library', async () => {
    const connection = await createEmptyDatabase()
    expect(await readInstallation(connection)).toEqual({ type: 'none' })
    await run(
      connection,
      'create table kysely_migration (name text)',
      "insert into kysely_migration values ('app')",
    )
    expect(await readInstallation(connection)).toEqual({ type: 'none' })
  })

  it('is foreign if something else has a schema that Muster needs', async () => {
    const own = await createEmptyDatabase()
    await run(own, 'create schema muster', 'create table muster.sessions (id text)')
    expect(await readInstallation(own)).toEqual({ type: 'foreign', schema: 'muster' })
    const queue = await createEmptyDatabase()
    await run(queue, 'create schema pgboss')
    expect(await readInstallation(queue)).toEqual({ type: 'foreign', schema: 'pgboss' })
  })

  it('names the home that owns it', async () => {
    const connection = await createTestDatabase()
    expect(await readInstallation(connection)).toEqual({ type: 'unowned' })
    const first = await takeOwnership(connection, ADA)
    expect(await readInstallation(connection)).toMatchObject({
      type: 'owned',
      ...ADA,
      databaseId: first.databaseId,
    })
    expect(await takeOwnership(connection, BOB)).toEqual({ ...first, number: first.number + 1 })
    expect(await readInstallation(connection)).toMatchObject({ type: 'owned', ...BOB })
  })
})

describe('the tables of an earlier version', () => {
  it("move out of public, and an application's tables stay", async () => {
    const connection = await createEmptyDatabase()
    await migrated(connection)
    const tables = await run(connection, "select tablename from pg_tables where schemaname = 'muster'")
    const names = tables.rows.map(({ tablename }) => String(tablename)).filter((name) => name !== 'owner')
    await run(
      connection,
      'drop table muster.owner',
      'drop function muster.require_owner',
      "delete from muster.kysely_migration where name = '0011-owner'",
      ...names.map((name) => `alter table muster.${name} set schema public`),
      'alter function muster.append_audit(jsonb) set schema public',
      'drop schema muster',
      "insert into projects values ('prj', '/nowhere', 'nowhere', now())",
      'create table customers (id text)',
    )
    expect(await readInstallation(connection)).toEqual({ type: 'unowned' })

    await migrated(connection)
    const left = await run(connection, "select tablename from pg_tables where schemaname = 'public'")
    expect(left.rows).toEqual([{ tablename: 'customers' }])
    expect((await run(connection, 'select id from muster.projects')).rows).toEqual([{ id: 'prj' }])
    expect(await readInstallation(connection)).toEqual({ type: 'unowned' })
  })

  it('are created outside public in a new database', async () => {
    const connection = await createEmptyDatabase()
    await migrated(connection)
    const found = await run(connection, "select tablename from pg_tables where schemaname = 'public'")
    expect(found.rows).toEqual([])
  })
})

describe('the fence', () => {
  async function fenced() {
    const connection = await createTestDatabase()
    const owned = await takeOwnership(connection, ADA)
    const refusals: string[] = []
    const fence = { ...owned, onRefused: () => refusals.push('refused') }
    const database = openDatabase({ ...connection }, () => undefined, fence)
    const insert = () =>
      database
        .transaction()
        .execute((transaction) =>
          sql`insert into projects values (gen_random_uuid()::text, gen_random_uuid()::text, 'p', now())`.execute(
            transaction,
          ),
        )
    return { connection, fence, refusals, database, insert }
  }

  it('keeps a superseded daemon from beginning a transaction', async () => {
    const { connection, database, insert, refusals } = await fenced()
    await insert()
    await takeOwnership(connection, BOB)
    await expect(insert()).rejects.toThrow('no longer owns the database')
    expect(refusals).toEqual(['refused'])
    expect((await run(connection, 'select from muster.projects')).rowCount).toBe(1)
    await database.destroy()
  })

  it('lets the next owner in only after the transactions of the last one', async () => {
    const { connection, database } = await fenced()
    const order: string[] = []
    let taking: Promise<unknown> = Promise.resolve()
    await database.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      taking = takeOwnership(connection, BOB).then(() => order.push('taken'))
      const waits = sql<{ count: number }>`select count(*)::int as count from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
      while ((await waits.execute(transaction)).rows[0]?.count !== 1);
      order.push('committed')
    })
    await taking
    expect(order).toEqual(['committed', 'taken'])
    await database.destroy()
  })

  it('refuses connections to another database, even one without tables', async () => {
    const { fence, database, refusals } = await fenced()
    await database.destroy()
    for (const other of [await createTestDatabase(), await createEmptyDatabase()]) {
      await takeOwnership(other, ADA).catch(() => undefined)
      const pool = new pg.Pool({ ...other, ...fencedOptions(fence) })
      await expect(pool.query('select 1')).rejects.toThrow()
      await pool.end()
    }
    expect(refusals).toEqual(['refused', 'refused'])
  })
})
