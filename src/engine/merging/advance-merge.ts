import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import { judgeCheck } from '../landing/judge-check.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { landMerge } from './land-merge.ts'
import { isOfMerge } from './merge.ts'
import { refuseMerge } from './refuse-merge.ts'

/** Moves a person's merge on as far as its rows allow; also of a job that is over. Nothing to do when there is none. */
export async function advanceMerge(needs: LandingNeeds, jobId: JobId): Promise<void> {
  for (;;) {
    const job = await needs.store.read.jobs.find(jobId)
    if (job === undefined) return
    const open = await needs.store.read.candidates.listOpen(jobId)
    const candidate = open.find((one) => isOfMerge(one, job))
    if (candidate === undefined || !(await advanceOne(needs, job, candidate))) return
  }
}

/** True when it changed and should be looked at again. */
async function advanceOne(needs: LandingNeeds, job: Job, candidate: Candidate): Promise<boolean> {
  const { state } = candidate
  switch (state.type) {
    case 'checking':
      return judgeCheck(needs, job, candidate, state)
    case 'passed':
    // The person who merges is the one who would be asked.
    case 'asking':
    case 'allowed':
      return landMerge(needs, job, candidate)
    case 'failed':
      return refuseMerge(needs, candidate, state.reason)
    case 'landed':
    case 'dropped':
      return false
    default:
      return assertNever(state)
  }
}
