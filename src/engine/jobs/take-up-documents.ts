import { documentTakenUp } from '../../domain/event/document-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'

/** Puts the newest versions that wait into force, for the discovery of this cycle; the job is saved by the caller. */
export async function takeUpDocuments(records: Records, job: Job, cycle: number): Promise<Job> {
  const waiting = await records.documents.listWaiting(job.id)
  if (waiting.length === 0) return job
  await records.documents.takeUp(job.id, cycle, {
    audit: { actor: 'engine', action: 'document-take-up', subject: job.id, detail: { cycle } },
    events: waiting.map((document) => documentTakenUp(document, cycle)),
  })
  const textOf = (kind: 'goal' | 'task-list') => waiting.find((document) => document.kind === kind)?.text
  return {
    ...job,
    requestDocument: textOf('goal') ?? job.requestDocument,
    wantedTasks: textOf('task-list') ?? job.wantedTasks,
  }
}
