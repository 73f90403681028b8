import { type Kysely, sql } from 'kysely'
import type { RecordSnapshot } from '../../../../ports/record-copies.ts'
import type { Database } from '../database.ts'
import { COPIED_TABLES, isCopied } from './copied-tables.ts'

const PAGE_ROWS = 500

/** Reads all tables in one transaction that sees none of the changes made meanwhile, and blocks no one. */
export async function readRecords<Value>(
  database: Kysely<Database>,
  work: (snapshot: RecordSnapshot) => Promise<Value>,
): Promise<Value> {
  return await database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      // The first query fixes the moment that all others see.
      const applied = await sql<{ name: string }>`
        select name from kysely_migration order by name desc limit 1`.execute(transaction)
      return await work({
        schema: applied.rows[0]?.name ?? '',
        tables: Object.keys(COPIED_TABLES),
        bytes: await sizeOfTables(transaction),
        rows: (table) => readRows(transaction, table),
      })
    })
}

async function sizeOfTables(transaction: Kysely<Database>): Promise<number> {
  const sizes = await sql<{ bytes: number }>`
    select sum(pg_table_size(to_regclass(name)))::bigint as bytes
    from unnest(${Object.keys(COPIED_TABLES)}::text[]) as name`.execute(transaction)
  return Number(sizes.rows[0]?.bytes ?? 0)
}

async function* readRows(transaction: Kysely<Database>, table: string): AsyncGenerator<readonly string[]> {
  if (!isCopied(table)) throw new Error(`${table} is not part of a backup`)
  const order = sql.raw(COPIED_TABLES[table])
  await sql`declare copied no scroll cursor for select t::text as row from ${sql.table(table)} as t order by ${order}`.execute(
    transaction,
  )
  for (;;) {
    const page = await sql<{ row: string }>`fetch ${sql.raw(String(PAGE_ROWS))} from copied`.execute(
      transaction,
    )
    if (page.rows.length === 0) break
    yield page.rows.map(({ row }) => row)
  }
  await sql`close copied`.execute(transaction)
}
