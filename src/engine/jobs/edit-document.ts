import { documentEdited } from '../../domain/event/document-events.ts'
import type { JobId } from '../../domain/id.ts'
import { goalProblem, taskListProblem } from '../../domain/job/document-problem.ts'
import type { Job } from '../../domain/job/job.ts'
import type { DocumentKind, JobDocument } from '../../domain/job/job-document.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { illegalTransition } from '../../domain/transition.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { EditJobFailure } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock'>

/** Stores a person's new goal, or the tasks they want now; the next cycle's discovery takes it up. */
export async function editDocument(
  needs: Needs,
  jobId: JobId,
  kind: DocumentKind,
  text: string,
): Promise<Result<Job, EditJobFailure>> {
  const problem = kind === 'goal' ? goalProblem(text) : taskListProblem(text)
  if (problem !== undefined) return failure(problem)
  const answer = await needs.store.withJob(jobId, async (records, job) => {
    if (isJobOver(job.state)) return failure(illegalTransition('job', job.state.type, 'document-edit'))
    const earlier = await records.documents.listOf(jobId, kind)
    // The same text again is no edit; where nothing was ever wanted, nothing is what there is.
    if ((earlier.at(-1)?.text ?? '') === text) return success(job)
    await storeVersion(needs, records, { jobId, kind, text, author: 'person' })
    return success(job)
  })
  return answer ?? failure({ type: 'job-not-found', jobId })
}

/** Stores the next version of a document, in a transaction that holds the job's lock. */
export async function storeVersion(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  version: Pick<JobDocument, 'jobId' | 'kind' | 'text' | 'author'>,
  isEdit = true,
): Promise<void> {
  const { jobId, kind, text, author } = version
  const earlier = await records.documents.listOf(jobId, kind)
  const number = (earlier.at(-1)?.number ?? 0) + 1
  const document: JobDocument = { ...version, number, createdAt: needs.clock.now() }
  await records.documents.insert(document, {
    audit: {
      actor: author,
      action: isEdit ? 'document-edit' : 'document-create',
      subject: jobId,
      detail: { kind, number, characters: text.length },
    },
    events: isEdit ? [documentEdited(document)] : [],
  })
}
