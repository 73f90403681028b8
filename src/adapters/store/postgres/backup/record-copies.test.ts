import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, storeExampleJob } from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import { NO_AUDIT } from '../../../../domain/audit/audit-heads.ts'
import type { Store } from '../../../../ports/store/store.ts'
import { createAuditChain } from '../audit-chain.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { COPIED_TABLES, LEFT_OUT } from './copied-tables.ts'
import { createRecordCopies } from './record-copies.ts'

const opened: Kysely<Database>[] = []
let database: Kysely<Database>
let store: Store

beforeAll(async () => {
  database = await openCopy()
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
})
afterAll(async () => {
  for (const each of opened) await each.destroy()
})

async function openCopy(): Promise<Kysely<Database>> {
  const copy = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  opened.push(copy)
  return copy
}

async function emptyDatabase(): Promise<Kysely<Database>> {
  const empty = await openCopy()
  await sql`drop schema muster cascade`.execute(empty)
  return empty
}

type Tables = Record<string, readonly string[]>

async function readAll(from: Kysely<Database>): Promise<{ schema: string; tables: Tables }> {
  return await createRecordCopies(from).read(async ({ schema, tables, rows }) => {
    const read: Record<string, string[]> = {}
    for (const table of tables) {
      read[table] = []
      for await (const page of rows(table)) read[table].push(...page)
    }
    return { schema, tables: read }
  })
}

const storedOf = ({ schema, tables }: { schema: string; tables: Tables }) => ({
  schema,
  tables: Object.keys(tables),
  async *rows(table: string) {
    yield tables[table] ?? []
  },
})

describe('copies of all records', () => {
  it('contain every table', async () => {
    const tables = await sql<{ name: string }>`
      select relname as name from pg_class
      where relkind = 'r' and relnamespace = (select relnamespace from pg_class where oid = to_regclass('jobs'))
      `.execute(database)
    expect(tables.rows.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(COPIED_TABLES), ...LEFT_OUT].sort(),
    )
  })

  it('are the same after they were loaded into a new database, and the audit chain is intact', async () => {
    const job = await storeExampleJob(store)
    await sql`update jobs set summary = ${'a "quoted"\nline, (with) \\ and ünïcode'}`.execute(database)
    const before = await readAll(database)
    const target = await emptyDatabase()
    expect(await createRecordCopies(target).load(storedOf(before))).toEqual({ ok: true, value: undefined })

    const after = await readAll(target)
    const withoutEvents = ({ events: _events, ...rest }: Tables) => rest
    expect(withoutEvents(after.tables)).toEqual(withoutEvents(before.tables))
    expect(after.tables['events']).toHaveLength(before.tables['events']?.length ?? -1)
    const found = await createAuditChain(target).check({ from: NO_AUDIT, remembered: [] })
    expect(found.breaks).toEqual([])

    const restored = createPostgresStore({ database: target, sendWork: async () => () => undefined })
    await restored.transact((records) => records.jobs.save(job, exampleChange()))
    expect((await createAuditChain(target).head()).seq).toBe(found.head.seq + 1)
  })

  it('show one moment, whatever is stored meanwhile', async () => {
    await createRecordCopies(database).read(async ({ rows }) => {
      await storeExampleJob(store)
      let jobs = 0
      for await (const page of rows('jobs')) jobs += page.length
      const now = await sql<{ count: number }>`select count(*)::int as count from jobs`.execute(database)
      expect(jobs).toBe((now.rows[0]?.count ?? 0) - 1)
    })
  })

  it('are not loaded into a database that has records', async () => {
    const stored = storedOf(await readAll(database))
    expect(await createRecordCopies(await openCopy()).load(stored)).toEqual({
      ok: false,
      failure: { type: 'database-in-use' },
    })
  })

  it('are refused if a newer Muster made them', async () => {
    const stored = { ...storedOf(await readAll(database)), schema: '9999-future' }
    expect(await createRecordCopies(await emptyDatabase()).load(stored)).toMatchObject({
      ok: false,
      failure: { type: 'schema-newer', found: '9999-future' },
    })
  })
})
