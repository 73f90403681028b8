import { goalWithLearnings } from '../../domain/cycle/learnings.ts'
import { documentApplied, documentEdited } from '../../domain/event/document-events.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import {
  type DocumentKind,
  goalProblem,
  type JobDocument,
  taskListProblem,
} from '../../domain/job/job-document.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { illegalTransition } from '../../domain/transition.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { EditJobFailure } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings'>

/** Stores a person's new goal or requested tasks. The next cycle's discovery applies them. */
export async function editDocument(
  needs: Needs,
  jobId: JobId,
  kind: DocumentKind,
  written: string,
): Promise<Result<Job, EditJobFailure>> {
  const text = needs.settings.redaction.redact(written)
  const problem = kind === 'goal' ? goalProblem(text) : taskListProblem(text)
  if (problem !== undefined) return failure(problem)
  const answer = await needs.store.withJob(jobId, async (records, job) => {
    if (isJobFinished(job.state)) return failure(illegalTransition('job', job.state.type, 'document-edit'))
    const earlier = await records.documents.listOf(jobId, kind)
    // The same text again has no effect. Without any version, the text is empty.
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

/** Applies the newest waiting versions, for the discovery of this cycle. The caller saves the returned job. */
export async function applyDocuments(records: Records, job: Job, cycle: number): Promise<Job> {
  const waiting = await records.documents.listWaiting(job.id)
  if (waiting.length === 0) return job
  await records.documents.apply(job.id, cycle, {
    audit: { actor: 'engine', action: 'document-take-up', subject: job.id, detail: { cycle } },
    events: waiting.map((document) => documentApplied(document, cycle)),
  })
  const textOf = (kind: 'goal' | 'task-list') => waiting.find((document) => document.kind === kind)?.text
  return {
    ...job,
    requestDocument: textOf('goal') ?? job.requestDocument,
    requestedTasks: textOf('task-list') ?? job.requestedTasks,
  }
}

/**
 * Whether a person edited something that no discovery has applied. Learnings that Muster appended wait too, but don't
 * keep a job going. A person's version may be behind them.
 */
export async function hasWaitingEdit(records: Pick<Records, 'documents'>, jobId: JobId): Promise<boolean> {
  for (const newest of await records.documents.listWaiting(jobId)) {
    if (newest.author === 'person') return true
    const versions = await records.documents.listOf(jobId, newest.kind)
    if (versions.some(({ author, cycle }) => author === 'person' && cycle === undefined)) return true
  }
  return false
}

/** Appends a cycle's learnings to the goal, as a new version for the next discovery, if the plan allows it. */
export async function appendLearnings(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  job: Job,
  learnings: readonly string[],
): Promise<void> {
  if (job.plan.learnings !== true || learnings.length === 0) return
  // Learnings are appended to an edit that still waits, which would be lost otherwise.
  const waiting = (await records.documents.listWaiting(job.id)).find(({ kind }) => kind === 'goal')
  const goal = waiting?.text ?? job.requestDocument
  const text = goalWithLearnings(goal, learnings)
  if (text === goal || goalProblem(text) !== undefined) return
  await storeVersion(needs, records, { jobId: job.id, kind: 'goal', text, author: 'engine' })
}
