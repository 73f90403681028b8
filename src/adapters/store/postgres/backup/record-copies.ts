import type { Kysely } from 'kysely'
import type { RecordCopies } from '../../../../ports/record-copies.ts'
import type { Database } from '../database.ts'
import { loadRecords } from './load-records.ts'
import { readRecords } from './read-records.ts'

export function createRecordCopies(database: Kysely<Database>): RecordCopies {
  return {
    read: (work) => readRecords(database, work),
    load: (stored) => loadRecords(database, stored),
  }
}
