import type { JobDocument } from '../job/job-document.ts'
import { builderOf } from './new-event.ts'

export type DocumentEvents = {
  readonly document_edited: Pick<JobDocument, 'kind' | 'number' | 'author'>
  readonly document_applied: Pick<JobDocument, 'kind' | 'number'> & { readonly cycle: number }
}

const event = builderOf<DocumentEvents>()

export function documentEdited({ jobId, kind, number, author }: JobDocument) {
  return event('document_edited', { jobId }, { kind, number, author })
}

export function documentApplied({ jobId, kind, number }: JobDocument, cycle: number) {
  return event('document_applied', { jobId, cycle }, { kind, number, cycle })
}
