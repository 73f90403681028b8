import { goalWithLearnings } from '../../domain/cycle/learnings.ts'
import { goalProblem } from '../../domain/job/document-problem.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeVersion } from './edit-document.ts'

/** Appends what a cycle taught to the goal, where the plan allows it: a new version, for the next discovery. */
export async function appendLearnings(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  job: Job,
  learnings: readonly string[],
): Promise<void> {
  if (job.plan.learnings !== true || learnings.length === 0) return
  // A person's edit that nobody has seen yet is what is appended to: it would be lost otherwise.
  const waiting = (await records.documents.listWaiting(job.id)).find(({ kind }) => kind === 'goal')
  const goal = waiting?.text ?? job.requestDocument
  const text = goalWithLearnings(goal, learnings)
  if (text === goal || goalProblem(text) !== undefined) return
  await storeVersion(needs, records, { jobId: job.id, kind: 'goal', text, author: 'engine' })
}
