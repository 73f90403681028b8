import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { nextQueueMove, type QueueMove } from '../../domain/landing/next-queue-move.ts'
import { advanceMerge } from '../merging/advance-merge.ts'
import { askPerson } from './ask-person.ts'
import { buildCandidate } from './build-candidate.ts'
import { dropCandidates } from './drop-candidates.ts'
import { judgeApproval } from './judge-approval.ts'
import { judgeCheck } from './judge-check.ts'
import { landCandidate } from './land-candidate.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { lookAtQueue, type QueueEntry } from './look-at-queue.ts'
import { divideCandidate, rejectCandidate, storeRefusal } from './refuse-candidate.ts'

/**
 * Moves a job's merge queue on as far as its rows and its branch allow. What waits is merged into candidates, these
 * are checked at once on the exact trees that would land, and the branch moves by compare-and-swap to one that
 * passed. The invariant: the tree that landed is the tree that was checked.
 */
export async function advanceLanding(needs: LandingNeeds, jobId: JobId): Promise<void> {
  while (await advanceOnce(needs, jobId));
  await advanceMerge(needs, jobId)
}

/** True when something changed and the queue should be looked at again. */
async function advanceOnce(needs: LandingNeeds, jobId: JobId): Promise<boolean> {
  const job = await needs.store.read.jobs.find(jobId)
  const sight = job === undefined ? undefined : await lookAtQueue(needs, job)
  if (job === undefined || sight === undefined) return false
  if (await judgeAny(needs, job, sight.candidates)) return true
  const move = nextQueueMove(sight)
  // Of a job that is over only this is left to find out: whether the last one landed before the end.
  if (isJobOver(job.state) && move?.type !== 'land') {
    return refuseAll(needs, job, sight.candidates)
  }
  return move !== undefined && make(needs, job, move)
}

async function refuseAll(needs: LandingNeeds, job: Job, candidates: readonly Candidate[]): Promise<boolean> {
  const refused = await needs.store.withJob(job.id, async (records) => {
    const stored: boolean[] = []
    for (const candidate of candidates) stored.push(await storeRefusal(needs, records, candidate))
    return stored.includes(true)
  })
  return refused ?? false
}

/** Takes up what has been decided outside of the queue: by a check that ended, or by a person. */
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
      return dropCandidates(needs, job.id, move.candidates, 'the branch moved meanwhile')
    case 'build':
      return buildCandidate(needs, job, move)
    default:
      return assertNever(move)
  }
}
