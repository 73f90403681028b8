import { landingChecked, landingChecking } from '../../../domain/event/landing-events.ts'
import type { JobId, TaskId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import type { QueueMove } from '../../../domain/landing/next-queue-move.ts'
import { GIVE_UP_AFTER_MS } from '../../../domain/limits/retry-limits.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import type { Result } from '../../../domain/result.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import type { Records } from '../../../ports/store/store.ts'
import { describeFailure } from '../../describe-failure.ts'
import { toleratedTrailers } from '../check/tolerated-checks.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { openChain, type QueueEntry } from '../queue/load-queue.ts'
import { conflictMove, containedMove, refusedMove } from '../verdict/landing-moves.ts'
import { storeLanding } from '../verdict/store-landing.ts'
import { runTrailers } from './run-trailers.ts'
import { insertCandidate } from './store-candidate.ts'

const MAX_SUBJECT = 72

type Build = Extract<QueueMove<QueueEntry>, { type: 'build' }>

/** Merges waiting landings into the next candidate, without a checkout, and starts its first check. */
export async function buildCandidate(needs: LandingNeeds, job: Job, move: Build): Promise<boolean> {
  const { offer, size } = move.choice
  for (let from = 0; from < offer.length; from += size) {
    const isChanged = await buildOf(needs, job, move, offer.slice(from, from + size))
    // None of these landings merges onto the last candidate, but others may.
    if (isChanged || move.isOnHead) return isChanged
  }
  return false
}

async function buildOf(
  needs: LandingNeeds,
  job: Job,
  move: Build,
  batch: readonly QueueEntry[],
): Promise<boolean> {
  const merged = await merge(needs, job, move.onto, batch)
  if (!merged.ok) return afterFailure(needs, job, move, batch, describeFailure(merged.failure))
  const head = { commit: move.onto, tree: (await needs.history.treeOf(job.projectId, move.onto)) ?? '' }
  needs.crash.reach('landing.after-merge')
  const stored = await needs.store.withJob(job.id, async (records, locked) => {
    if (isJobFinished(locked.state) || !(await isStillTheEnd(needs, records, locked, move.onto))) return false
    const hasVerdicts =
      move.isOnHead && (await storeVerdicts(needs, records, batch, { ...merged.value, head }))
    return (await storeBatch(needs, records, locked, move.onto, batch, merged.value)) || hasVerdicts
  })
  return stored ?? false
}

async function merge(
  needs: LandingNeeds,
  job: Job,
  onto: string,
  batch: readonly QueueEntry[],
): Promise<Result<BatchMerge, GitFailure>> {
  const trailers = await toleratedTrailers(needs, job)
  const ofRuns = await runTrailers(
    needs,
    batch.map(({ landing }) => landing.taskId),
  )
  return await needs.commits.mergeBatch(job.projectId, {
    onto,
    tips: batch.map(({ landing }) => landing.tip),
    messageOf: (tips) =>
      landingMessage(
        batch.filter(({ landing }) => tips.includes(landing.tip)),
        ofRuns,
        trailers,
      ),
  })
}

/**
 * Handles a failure of git itself. One of several landings may be the cause, so the first is tried alone. A landing
 * that fails alone is retried for a while and then refused.
 */
async function afterFailure(
  needs: LandingNeeds,
  job: Job,
  move: Build,
  batch: readonly QueueEntry[],
  problem: string,
): Promise<boolean> {
  const [first] = batch
  if (first === undefined) return false
  if (batch.length > 1) return buildOf(needs, job, move, [first])
  const waitedMs = needs.clock.now().getTime() - first.landing.createdAt.getTime()
  if (waitedMs < GIVE_UP_AFTER_MS) throw new Error(`merge failed: ${problem}`)
  const refused = await needs.store.withJob(job.id, (records) =>
    storeLanding(needs, records, first.id, refusedMove([], `it could not be merged: ${problem}`)),
  )
  return refused ?? false
}

/** Whether a new candidate on this commit would still be the last of the chain. */
async function isStillTheEnd(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  onto: string,
): Promise<boolean> {
  const last = (await openChain(records, job)).at(-1)
  return onto === (last?.commit ?? (await needs.branches.tip(job.projectId, job.workingBranch)))
}

async function storeBatch(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  onto: string,
  batch: readonly QueueEntry[],
  merged: BatchMerge,
): Promise<boolean> {
  const taken = batch.filter(({ landing }) => merged.merged.includes(landing.tip))
  if (taken.length === 0) return false
  const unusual = taken.flatMap(({ task }) => task.changes?.unusual ?? [])
  const candidate = await insertCandidate(needs, records, {
    job,
    purpose: {
      type: 'landings',
      landingIds: taken.map(({ id }) => id),
      ...(unusual.length === 0 ? {} : { unusual }),
    },
    onto,
    merged,
  })
  const [check] = job.plan.checks
  for (const { id } of taken) {
    const isStored = await storeLanding(needs, records, id, {
      event: { type: 'merge-end', candidateId: candidate.id },
      notice: (landing, task) =>
        check === undefined
          ? landingChecked(landing, task, candidate, [])
          : landingChecking(landing, task, candidate, { check, checks: job.plan.checks.length }),
    })
    if (!isStored) throw new Error(`landing ${id} moved on while it was merged`)
  }
  return true
}

/**
 * Decides the landings that were merged onto the head alone: each conflicts or brings nothing new. A landing that was
 * merged after another of the batch may still merge later.
 */
async function storeVerdicts(
  needs: LandingNeeds,
  records: Records,
  batch: readonly QueueEntry[],
  merged: BatchMerge & { readonly head: { readonly commit: string; readonly tree: string } },
): Promise<boolean> {
  const firstMerged = batch.findIndex(({ landing }) => merged.merged.includes(landing.tip))
  const onHead = batch.slice(0, firstMerged === -1 ? batch.length : firstMerged)
  for (const { id, landing } of onHead) {
    const conflict = merged.conflicts.find(({ tip }) => tip === landing.tip)
    if (conflict !== undefined) await storeLanding(needs, records, id, conflictMove(conflict.paths))
    if (merged.contained.includes(landing.tip)) {
      const checks = await checksOf(records, landing.jobId, merged.head.commit)
      await storeLanding(needs, records, id, containedMove(merged.head, checks))
    }
  }
  return onHead.length > 0
}

/** The checks that the head itself has passed, which also hold for everything it contains. */
async function checksOf(records: Records, jobId: JobId, head: string): Promise<readonly CheckResult[]> {
  const candidates = await records.candidates.listOfJob(jobId)
  return candidates.find(({ commit, state }) => commit === head && state.type === 'landed')?.checks ?? []
}

/** The message of the commit that lands these tasks: what they are, and which attempt made each. */
function landingMessage(
  entries: readonly Pick<QueueEntry, 'task' | 'landing'>[],
  ofRuns: ReadonlyMap<TaskId, readonly string[]>,
  tolerated: readonly string[],
): string {
  const [only] = entries
  const subject =
    entries.length === 1 && only !== undefined
      ? firstLine(only.task.description)
      : `Land ${entries.length} tasks together`
  const list = entries.length === 1 ? '' : `${entries.map(lineOf).join('\n')}\n\n`
  const trailers = entries.flatMap(({ landing }) => [
    `Muster-Task: ${landing.taskId}`,
    `Muster-Attempt: ${landing.attemptId}`,
    ...(ofRuns.get(landing.taskId) ?? []),
  ])
  return `${subject}\n\n${list}${[...trailers, ...tolerated].join('\n')}\n`
}

function lineOf({ task }: Pick<QueueEntry, 'task'>): string {
  return `- ${taskName(task)} ${firstLine(task.description)}`
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 3)}...` : line
}
