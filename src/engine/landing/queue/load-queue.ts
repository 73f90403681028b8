import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import { type Candidate, chainOf } from '../../../domain/landing/candidate.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import type { QueueSnapshot } from '../../../domain/landing/next-queue-move.ts'
import type { WaitingLanding } from '../../../domain/landing/order-landings.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { LandingNeeds } from '../landing-needs.ts'

export type QueueEntry = WaitingLanding & { readonly landing: Landing; readonly task: Task }

/** A job's merge queue; undefined if no landing waits and no candidate is open. */
export async function loadQueue(
  needs: LandingNeeds,
  job: Job,
): Promise<QueueSnapshot<QueueEntry> | undefined> {
  const { read } = needs.store
  const [open, candidates] = await Promise.all([read.landings.listOpen(job.id), openChain(read, job)])
  const waiting = isJobFinished(job.state) ? [] : open.filter(({ state }) => state.type === 'queued')
  if (waiting.length === 0 && candidates.length === 0) return undefined
  const head = await needs.branches.tip(job.projectId, job.workingBranch)
  if (head === undefined) throw new Error(`branch ${job.workingBranch} is not in the hub`)
  return {
    head,
    waiting: await entriesOf(needs, job, waiting),
    candidates,
    mode: job.plan.mode ?? 'auto',
    slots: needs.settings.checkSlots,
  }
}

/** The open candidates for a job's own branch, each after the one it builds on. */
export async function openChain(
  records: Pick<Records, 'candidates'>,
  job: Job,
): Promise<readonly Candidate[]> {
  const open = await records.candidates.listOpen(job.id)
  return chainOf(open.filter(({ purpose }) => purpose.type !== 'merge'))
}

async function entriesOf(
  needs: LandingNeeds,
  job: Job,
  waiting: readonly Landing[],
): Promise<readonly QueueEntry[]> {
  if (waiting.length === 0) return []
  const tasks = new Map((await needs.store.read.tasks.listOfJob(job.id)).map((task) => [task.id, task]))
  return waiting.flatMap((landing) => {
    const task = tasks.get(landing.taskId)
    if (task === undefined) return []
    const { id, batchLimit } = landing
    const isUnusual = (task.changes?.unusual ?? []).length > 0
    return [{ id, batchLimit, files: task.filesModified, priority: task.priority, isUnusual, landing, task }]
  })
}
