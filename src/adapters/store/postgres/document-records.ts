import type { JobDocument } from '../../../domain/job/job-document.ts'
import type { DocumentRecords } from '../../../ports/store/document-records.ts'
import type { Database } from './database.ts'
import { type Scope, withoutNulls } from './scope.ts'

export function createDocumentRecords(scope: Scope): DocumentRecords {
  const { database } = scope
  return {
    async insert(document, change) {
      await database
        .insertInto('documents')
        .values({ ...document, cycle: document.cycle ?? null })
        .execute()
      scope.note(change)
    },
    async takeUp(jobId, cycle, change) {
      await database
        .updateTable('documents')
        .set({ cycle })
        .where('jobId', '=', jobId)
        .where('cycle', 'is', null)
        .execute()
      scope.note(change)
    },
    async listWaiting(jobId) {
      const rows = await database
        .selectFrom('documents')
        .selectAll()
        .distinctOn('kind')
        .where('jobId', '=', jobId)
        .where('cycle', 'is', null)
        .orderBy('kind')
        .orderBy('number', 'desc')
        .execute()
      return rows.map(toDocument)
    },
    async listOf(jobId, kind) {
      const rows = await database
        .selectFrom('documents')
        .selectAll()
        .where('jobId', '=', jobId)
        .where('kind', '=', kind)
        .orderBy('number')
        .execute()
      return rows.map(toDocument)
    },
  }
}

function toDocument(row: Database['documents']): JobDocument {
  return withoutNulls(row)
}
