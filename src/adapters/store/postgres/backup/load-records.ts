import { type Kysely, sql } from 'kysely'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { LoadFailure, StoredRows } from '../../../../ports/record-copies.ts'
import type { Database } from '../database.ts'
import { migrate, migrateTo } from '../migrate.ts'
import { COPIED_TABLES, type CopiedTable, FILLED_AGAIN, isCopied } from './copied-tables.ts'

/**
 * Stores the rows of a backup in a new database. The tables are first made as they were when the backup was made, and
 * brought up to date afterwards.
 */
export async function loadRecords(
  database: Kysely<Database>,
  stored: StoredRows,
): Promise<Result<void, LoadFailure>> {
  if (await hasTables(database)) return failure({ type: 'database-in-use' })
  const made = await migrateTo(database, stored.schema)
  if (!made.ok) return made
  await database.transaction().execute(async (transaction) => {
    await sql`delete from audit_head`.execute(transaction)
    for (const table of stored.tables.filter(isCopied))
      await loadTable(transaction, table, stored.rows(table))
  })
  const updated = await migrate(database)
  if (!updated.ok)
    throw new Error(`the restored records cannot be updated: ${JSON.stringify(updated.failure)}`)
  return success(undefined)
}

async function hasTables(database: Kysely<Database>): Promise<boolean> {
  const tables = Object.keys(COPIED_TABLES)
  const found = await sql<{ found: boolean }>`
    select coalesce(bool_or(to_regclass(name) is not null), false) as found
    from unnest(${tables}::text[]) as name`.execute(database)
  return found.rows[0]?.found === true
}

async function loadTable(
  transaction: Kysely<Database>,
  table: CopiedTable,
  pages: AsyncIterable<readonly string[]>,
): Promise<void> {
  const columns = await columnsOf(transaction, table)
  const names = columns.map(({ name }) => sql.id(name))
  const values = columns.map(({ name }) => sql`(copy.row).${sql.id(name)}`)
  for await (const page of pages) {
    await sql`
      insert into ${sql.table(table)} (${sql.join(names)}) overriding system value
      select ${sql.join(values)} from (
        select line::${sql.table(table)} as row, number
        from unnest(${page}::text[]) with ordinality as lines (line, number)
      ) as copy order by copy.number`.execute(transaction)
  }
  for (const { name } of columns.filter(({ isNumbered }) => isNumbered)) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${name}), max(${sql.id(name)}))
      from ${sql.table(table)} having max(${sql.id(name)}) is not null`.execute(transaction)
  }
}

type Column = { readonly name: string; readonly isNumbered: boolean }

/** The columns that are stored: not those that the database computes or fills in again. */
async function columnsOf(transaction: Kysely<Database>, table: CopiedTable): Promise<readonly Column[]> {
  const columns = await sql<Column>`
    select attname as name, attidentity <> '' as is_numbered from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(transaction)
  return columns.rows.filter(({ name }) => FILLED_AGAIN[table]?.includes(name) !== true)
}
