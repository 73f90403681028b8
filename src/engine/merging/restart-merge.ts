import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { clearCheck } from '../landing/clear-check.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { isOfMerge } from './merge.ts'
import { prepareMerge } from './prepare-merge.ts'
import { refuseMerge } from './refuse-merge.ts'
import { replaceCandidate } from './replace-candidate.ts'

const MAX_STARTS = 3
const MOVED = 'a branch moved while it was being checked'

/** Merges and checks again what was made for a branch that has moved on; not for ever. */
export async function restartMerge(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const starts = await countStarts(needs, job)
  if (starts >= MAX_STARTS) {
    return refuseMerge(needs, candidate, `${MOVED}, ${starts} times in a row; try again when it rests`)
  }
  const prepared = await prepareMerge(needs, job)
  if (!prepared.ok) return refuseMerge(needs, candidate, prepared.failure)
  // Somebody brought the two together meanwhile: there is nothing left to check.
  if (prepared.value.type !== 'commit') return refuseMerge(needs, candidate, `${MOVED}; merge once more`)
  await replaceCandidate(needs, job, prepared.value, { candidate, reason: MOVED })
  await clearCheck(needs, candidate)
  return true
}

/** How often in a row, with this one, a merge of the job was begun because a branch moved. */
async function countStarts(needs: LandingNeeds, job: Job): Promise<number> {
  const merges = (await needs.store.read.candidates.listOfJob(job.id)).filter((one) => isOfMerge(one, job))
  const over = merges.slice(0, -1)
  const last = over.findLastIndex(({ state }) => state.type !== 'dropped' || state.reason !== MOVED)
  return over.length - last
}
