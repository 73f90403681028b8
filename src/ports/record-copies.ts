import type { Result } from '../domain/result.ts'

/** All records as they were at one moment. */
export interface RecordSnapshot {
  /** The newest migration that was applied. */
  readonly schema: string
  readonly tables: readonly string[]
  /** About how many bytes the tables occupy. */
  readonly bytes: number
  /** The rows of a table in pages, each row in the database's own notation. */
  rows(table: string): AsyncIterable<readonly string[]>
}

export type LoadFailure =
  | { readonly type: 'schema-newer'; readonly found: string; readonly known: string }
  | { readonly type: 'database-in-use' }

export type StoredRows = {
  readonly schema: string
  readonly tables: readonly string[]
  rows(table: string): AsyncIterable<readonly string[]>
}

/**
 * Copies of all records, for backups. The queue isn't copied: the reconciler sends its work again.
 *
 * Contract: reading blocks no writer. Loading stores all rows or none, and only into a database without records.
 */
export interface RecordCopies {
  read<Value>(work: (snapshot: RecordSnapshot) => Promise<Value>): Promise<Value>
  load(stored: StoredRows): Promise<Result<void, LoadFailure>>
}
