import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Change } from '../../../ports/store/change.ts'
import { StaleRecordError } from '../../../ports/store/store.ts'
import type { Database } from './database.ts'
import { storableJson } from './storable-json.ts'

/** Where records read and write: the open transaction with what must be stored beside its states. */
export type Scope = {
  readonly database: Kysely<Database>
  note(change: Change): void
}

/** The scope of plain reads: saving through it is a defect, because nothing would hold the change together. */
export function readingScope(database: Kysely<Database>): Scope {
  return {
    database,
    note: () => {
      throw new Error('a state was saved outside a transaction')
    },
  }
}

/** A JSON column's value. The driver would turn an array into a PostgreSQL array, so we serialise ourselves. */
export function json<Value>(value: Value): RawBuilder<Value> {
  return sql<Value>`${storableJson(value)}::jsonb`
}

export function requireOneRow(updated: bigint, noun: string, id: string): void {
  if (updated !== 1n) throw new StaleRecordError(`${noun} ${id} moved on since it was read`)
}

type Present<Row> = { [Key in keyof Row]: Exclude<Row[Key], null> } & object
type Absentable<Row> = { [Key in keyof Row as null extends Row[Key] ? Key : never]?: Exclude<Row[Key], null> }
type Certain<Row> = { [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key] }

/** SQL's null becomes an absent field: null does not enter the domain. */
export function withoutNulls<Row extends object>(row: Row): Certain<Row> & Absentable<Row> {
  const entries = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Present<Row> as Certain<Row> & Absentable<Row>
}
