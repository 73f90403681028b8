import type { DocumentKind, JobDocument } from '../../domain/job/job-document.ts'
import { type Result, success } from '../../domain/result.ts'
import { findJob, type JobNotFound, type Reads } from './find-record.ts'
import { type Page, type PageInput, pageOf } from './page.ts'

export type DocumentsInput = PageInput & {
  readonly job: string
  readonly kind?: DocumentKind | undefined
}

const KINDS: readonly DocumentKind[] = ['goal', 'task-list']

/** Every version of a job's documents, newest first. */
export async function listDocuments(
  needs: Reads,
  { job: jobText, kind, ...page }: DocumentsInput,
): Promise<Result<Page<JobDocument>, JobNotFound>> {
  const job = await findJob(needs, jobText)
  if (!job.ok) return job
  const { documents } = needs.store.read
  const kinds = kind === undefined ? KINDS : [kind]
  const versions = await Promise.all(kinds.map((one) => documents.listOf(job.value.id, one)))
  const newestFirst = versions
    .flat()
    .map((document) => ({ ...document, id: `${document.kind}.${document.number}` }))
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || other.number - one.number)
  return success(pageOf(newestFirst, page))
}
