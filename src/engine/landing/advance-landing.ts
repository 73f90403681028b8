import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { nextQueueMove, type QueueMove } from '../../domain/landing/next-queue-move.ts'
import type { Records } from '../../ports/store/store.ts'
import { buildCandidate } from './candidate/build-candidate.ts'
import { judgeCheck } from './check/judge-check.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { advanceMerge } from './merge/advance-merge.ts'
import { loadQueue, type QueueEntry } from './queue/load-queue.ts'
import { askPerson, judgeApproval } from './verdict/ask-person.ts'
import { endCandidate, JOB_ENDED } from './verdict/end-candidate.ts'
import { landCandidate } from './verdict/land-candidate.ts'
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
    if (state.type === 'checking' && (await judgeCheck(needs, job, candidate, state))) return true
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
