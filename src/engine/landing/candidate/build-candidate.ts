import { landingChecked, landingChecking } from '../../../domain/event/landing-events.ts'
import type { JobId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import { isJobOver } from '../../../domain/job/job-state.ts'
import type { CheckResult } from '../../../domain/landing/check-result.ts'
import type { QueueMove } from '../../../domain/landing/next-queue-move.ts'
import { GIVE_UP_AFTER_MS } from '../../../domain/limits/retry-limits.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import type { Result } from '../../../domain/result.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import type { Records } from '../../../ports/store/store.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { openChain, type QueueEntry } from '../queue/load-queue.ts'
import { conflictMove, containedMove, refusedMove } from '../verdict/landing-moves.ts'
import { storeLanding } from '../verdict/store-landing.ts'
import { landingMessage } from './landing-message.ts'
import { insertCandidate } from './store-candidate.ts'

type Build = Extract<QueueMove<QueueEntry>, { type: 'build' }>

/** Merges what waits, without a checkout, into the next candidate, and starts its first check. */
export async function buildCandidate(needs: LandingNeeds, job: Job, move: Build): Promise<boolean> {
  const { offer, size } = move.choice
  for (let from = 0; from < offer.length; from += size) {
    const isChanged = await buildOf(needs, job, move, offer.slice(from, from + size))
    // None of these can be merged onto a candidate that has not landed, but others may.
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
    if (isJobOver(locked.state) || !(await isStillTheEnd(needs, records, locked, move.onto))) return false
    const hasVerdicts =
      move.isOnHead && (await storeVerdicts(needs, records, batch, { ...merged.value, head }))
    return (await storeBatch(needs, records, locked, move.onto, batch, merged.value)) || hasVerdicts
  })
  return stored ?? false
}

function merge(
  needs: LandingNeeds,
  job: Job,
  onto: string,
  batch: readonly QueueEntry[],
): Promise<Result<BatchMerge, GitFailure>> {
  return needs.commits.mergeBatch(job.projectId, {
    onto,
    tips: batch.map(({ landing }) => landing.tip),
    messageOf: (tips) => landingMessage(batch.filter(({ landing }) => tips.includes(landing.tip))),
  })
}

/** Git itself failed. One of several may be the cause, so the first is tried alone; alone it is retried for a while, then refused. */
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
  const candidate = await insertCandidate(needs, records, {
    job,
    purpose: { type: 'landings', landingIds: taken.map(({ id }) => id) },
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
 * Decides about the landings that were merged onto nothing but the head: each conflicts, or brings nothing new. One
 * that was tried after another of the batch may still merge later.
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

/** The checks that the head itself has passed. They hold for what it contains. */
async function checksOf(records: Records, jobId: JobId, head: string): Promise<readonly CheckResult[]> {
  const candidates = await records.candidates.listOfJob(jobId)
  return candidates.find(({ commit, state }) => commit === head && state.type === 'landed')?.checks ?? []
}
