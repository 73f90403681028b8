import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { nextQueueMove, type QueueMove } from '../../domain/landing/next-queue-move.ts'
import type { Records } from '../../ports/store/store.ts'
import { describeFailure } from '../describe-failure.ts'
import { buildCandidate } from './candidate/build-candidate.ts'
import { withCandidate } from './candidate/store-candidate.ts'
import { judgeCandidate, requireCheckedTree } from './check/judge-candidate.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { advanceMerge } from './merge/advance-merge.ts'
import { loadQueue, openChain, type QueueEntry } from './queue/load-queue.ts'
import { askPerson, isAllowed, judgeApproval } from './verdict/ask-person.ts'
import { endCandidate, JOB_ENDED } from './verdict/end-candidate.ts'
import { divideCandidate, dropCandidates, rejectCandidate } from './verdict/refuse-candidate.ts'

/**
 * Advances a job's merge queue, and a person's merge of its branch, as far as rows and branches allow. Waiting work
 * is merged into candidates. Candidates are checked in parallel, on the exact trees that would land. The branch then
 * moves by compare-and-swap to a candidate that passed. The invariant: the tree that lands is the tree that was
 * checked.
 */
export async function advanceLanding(needs: LandingNeeds, jobId: JobId): Promise<void> {
  while (await advanceQueue(needs, jobId));
  await advanceMerge(needs, jobId)
}

/** True if something changed, so the queue must be loaded again. */
async function advanceQueue(needs: LandingNeeds, jobId: JobId): Promise<boolean> {
  const job = await needs.store.read.jobs.find(jobId)
  const queue = job === undefined ? undefined : await loadQueue(needs, job)
  if (job === undefined || queue === undefined) return false
  if (await judgeAny(needs, job, queue.candidates)) return true
  const move = nextQueueMove(queue)
  // If the job has ended, one question is left: whether the last candidate landed before the end.
  if (isJobFinished(job.state) && move?.type !== 'land') {
    return withJob(needs, job, (records) => abandonAll(needs, records, job, queue.candidates))
  }
  return move !== undefined && make(needs, job, move)
}

/** Applies decisions made outside the queue: the result of a check, or a person's answer. */
async function judgeAny(needs: LandingNeeds, job: Job, candidates: readonly Candidate[]): Promise<boolean> {
  for (const candidate of candidates) {
    const { state } = candidate
    if (state.type === 'checking' && (await judgeCandidate(needs, job, candidate, state))) return true
    if (state.type === 'asking' && (await judgeApproval(needs, candidate, state))) return true
  }
  return false
}

async function make(needs: LandingNeeds, job: Job, move: QueueMove<QueueEntry>): Promise<boolean> {
  switch (move.type) {
    case 'land':
      return landCandidate(needs, job, move.candidate)
    case 'ask':
      return askPerson(needs, job, move.candidate)
    case 'reject':
      return rejectCandidate(needs, move)
    case 'divide':
      return divideCandidate(needs, move)
    case 'drop':
      return withJob(needs, job, (records, locked) =>
        dropCandidates(needs, records, locked, move.candidates, 'the branch moved'),
      )
    case 'build':
      return buildCandidate(needs, job, move)
    default:
      return assertNever(move)
  }
}

/**
 * Moves the branch to a checked candidate by compare-and-swap. If the branch has moved, the whole chain is built
 * again.
 */
async function landCandidate(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  await requireCheckedTree(needs, job, candidate)
  needs.crash.reach('landing.after-checks')
  return withCandidate(needs, candidate, async (records, locked) => {
    // Under the job's lock, a cancel happens before the move or after it, never in between.
    const hasLanded =
      (await moveBranch(needs, records, locked, candidate)) || (await isLanded(needs, locked, candidate))
    needs.crash.reach('landing.after-ref')
    if (hasLanded) return endCandidate(needs, records, locked, candidate, { type: 'landed' })
    if (isJobFinished(locked.state)) return endCandidate(needs, records, locked, candidate, JOB_ENDED)
    return dropCandidates(needs, records, locked, await openChain(records, locked), 'the branch moved')
  })
}

/** False if the job has ended, no one has allowed the landing, or someone else moved the branch. */
async function moveBranch(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  candidate: Candidate,
): Promise<boolean> {
  if (isJobFinished(job.state) || !(await isAllowed(records, job, candidate))) return false
  const moved = await needs.branches.move(job.projectId, candidate.branch, candidate.commit, candidate.onto)
  if (!moved.ok && moved.failure.type !== 'branch-moved') {
    throw new Error(`branch not moved: ${describeFailure(moved.failure)}`)
  }
  return moved.ok
}

/** The process may have died after the branch moved, so git decides what landed. */
async function isLanded(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, candidate.branch)
  return tip !== undefined && (await needs.history.isAncestor(job.projectId, candidate.commit, tip))
}

async function abandonAll(
  needs: LandingNeeds,
  records: Records,
  job: Job,
  candidates: readonly Candidate[],
): Promise<boolean> {
  let isChanged = false
  for (const candidate of candidates) {
    if (await endCandidate(needs, records, job, candidate, JOB_ENDED)) isChanged = true
  }
  return isChanged
}

async function withJob(
  needs: LandingNeeds,
  job: Job,
  work: (records: Records, locked: Job) => Promise<boolean>,
): Promise<boolean> {
  return (await needs.store.withJob(job.id, work)) ?? false
}
