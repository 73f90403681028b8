import type { JobDocument } from '../../../domain/job/job-document.ts'
import type { DocumentRecords } from '../../../ports/store/document-records.ts'
import type { Database } from './database.ts'
import { listRows, type Scope, withoutNulls } from './scope.ts'

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
    async apply(jobId, cycle, change) {
      await database
        .updateTable('documents')
        .set({ cycle })
        .where('jobId', '=', jobId)
        .where('cycle', 'is', null)
        .execute()
      scope.note(change)
    },
    listWaiting: (jobId) =>
      listRows(
        database
          .selectFrom('documents')
          .selectAll()
          .distinctOn('kind')
          .where('jobId', '=', jobId)
          .where('cycle', 'is', null)
          .orderBy('kind')
          .orderBy('number', 'desc'),
        toDocument,
      ),
    listOf: (jobId, kind) =>
      listRows(
        database
          .selectFrom('documents')
          .selectAll()
          .where('jobId', '=', jobId)
          .where('kind', '=', kind)
          .orderBy('number'),
        toDocument,
      ),
  }
}

function toDocument(row: Database['documents']): JobDocument {
  return withoutNulls(row)
}
