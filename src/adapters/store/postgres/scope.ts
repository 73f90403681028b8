import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Change } from '../../../ports/store/change.ts'
import { StaleRecordError } from '../../../ports/store/store.ts'
import type { Database } from './database.ts'
import { jsonbText } from './jsonb-text.ts'

/** Where records read and write: an open transaction, and the changes to store with its states. */
export type Scope = {
  readonly database: Kysely<Database>
  note(change: Change): void
}

/** A scope for reads. Saving through it is a defect, because state and change must be stored in one transaction. */
export function readingScope(database: Kysely<Database>): Scope {
  return {
    database,
    note: () => {
      throw new Error('a state was saved outside a transaction')
    },
  }
}

/** The value of a JSON column. Without this, the driver would turn an array into a PostgreSQL array. */
export function json<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${jsonbText(value)}::jsonb`
}

type Versioned = { readonly id: string; readonly version: number }
type Noun =
  | 'approval'
  | 'approvalRule'
  | 'attempt'
  | 'baseline'
  | 'candidate'
  | 'cycle'
  | 'job'
  | 'landing'
  | 'message'
  | 'run'
  | 'task'
  | 'visit'

/** Saves a row of the table `<noun>s`, unless the row has changed since the record was read. */
export async function saveRow<Row extends Versioned>(
  scope: Scope,
  noun: Noun,
  record: Row,
  { id: _, ...columns }: { readonly id?: unknown; readonly [column: string]: unknown },
  change: Change,
): Promise<Row> {
  const version = record.version + 1
  const updated = await scope.database
    .updateTable(`${noun}s` as 'jobs')
    .set({ ...columns, version })
    .where('id', '=', record.id as never)
    .where('version', '=', record.version)
    .executeTakeFirst()
  requireOneRow(updated.numUpdatedRows, noun, record.id)
  scope.note(change)
  return { ...record, version }
}

export function requireOneRow(updated: bigint, noun: string, id: string): void {
  if (updated !== 1n) throw new StaleRecordError(`${noun} ${id} has changed since it was read`)
}

/** Runs a query for at most one row and turns the row into a record. */
export async function findRow<Row, Found>(
  query: { executeTakeFirst(): Promise<Row | undefined> },
  toRecord: (row: Row) => Found,
): Promise<Found | undefined> {
  const row = await query.executeTakeFirst()
  return row === undefined ? undefined : toRecord(row)
}

/** Runs a query and turns its rows into records. */
export async function listRows<Row, Found>(
  query: { execute(): Promise<readonly Row[]> },
  toRecord: (row: Row) => Found,
): Promise<readonly Found[]> {
  return (await query.execute()).map(toRecord)
}

type Present<Row> = { [Key in keyof Row]: Exclude<Row[Key], null> } & object
type Absentable<Row> = { [Key in keyof Row as null extends Row[Key] ? Key : never]?: Exclude<Row[Key], null> }
type Certain<Row> = { [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key] }

/** Turns SQL's null into an absent field, because the domain has no null. */
export function withoutNulls<Row extends object>(row: Row): Certain<Row> & Absentable<Row> {
  const entries = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Present<Row> as Certain<Row> & Absentable<Row>
}
