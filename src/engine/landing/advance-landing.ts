import { assertNever } from '../../domain/assert-never.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { judgeCheck } from './judge-check.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { mergeLanding } from './merge-landing.ts'
import { moveWorkingBranch } from './move-working-branch.ts'

/**
 * Moves a job's merge queue on: one landing at a time is merged, checked on the exact commit that would land,
 * and then lands by compare-and-swap. The invariant: the tree that landed is the tree that was checked.
 */
export async function advanceLanding(needs: LandingNeeds, jobId: JobId): Promise<void> {
  for (;;) {
    const job = await needs.store.read.jobs.find(jobId)
    if (job === undefined) return
    const open = await needs.store.read.landings.listOpen(jobId)
    const landing = open.find((candidate) => candidate.state.type !== 'queued') ?? open[0]
    if (landing === undefined) return
    // Of a job that is over only this is left to find out: whether the last one landed before the end.
    if (isJobOver(job.state) && landing.state.type !== 'checked') return
    const moved = await advanceOne(needs, job, landing)
    if (!moved) return
  }
}

/** True when the landing changed state and the queue should be looked at again. */
async function advanceOne(needs: LandingNeeds, job: Job, landing: Landing): Promise<boolean> {
  switch (landing.state.type) {
    case 'queued':
      return mergeLanding(needs, job, landing)
    case 'checking':
      return judgeCheck(needs, job, landing, landing.state)
    case 'checked':
      return moveWorkingBranch(needs, job, landing, landing.state)
    case 'landed':
    case 'conflicted':
    case 'rejected':
      return false
    default:
      return assertNever(landing.state)
  }
}
