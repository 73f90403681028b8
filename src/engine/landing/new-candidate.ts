import type { LandingId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { BatchMerge } from '../../ports/commits.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { newCheck } from './new-check.ts'

export type CandidateRequest = {
  readonly job: Job
  readonly branch: string
  readonly landingIds: readonly LandingId[]
  readonly base?: string
  readonly onto: string
  readonly merged: Pick<BatchMerge, 'commit' | 'tree'>
}

/** Stores a candidate with its first check. Without any check it has passed none: that is said where it is shown. */
export async function newCandidate(
  needs: Pick<LandingNeeds, 'clock' | 'ids' | 'wakeAt'>,
  records: Records,
  { job, branch, landingIds, base: broughtIn, onto, merged }: CandidateRequest,
): Promise<Candidate> {
  const base = {
    id: needs.ids.next('candidate'),
    jobId: job.id,
    branch,
    landingIds,
    ...(broughtIn === undefined ? {} : { base: broughtIn }),
    onto,
    commit: merged.commit,
    tree: merged.tree,
    checks: [],
    version: 1,
    createdAt: needs.clock.now(),
  }
  const command = job.plan.checks[0]
  const check =
    command === undefined ? undefined : newCheck(needs, base, { index: 0, command, isFresh: true })
  const candidate: Candidate = {
    ...base,
    state:
      check === undefined
        ? { type: 'passed' }
        : {
            type: 'checking',
            checkIndex: 0,
            sessionId: check.session.id,
            suspects: [],
            lost: 0,
          },
  }
  await records.candidates.insert(candidate, {
    audit: {
      actor: 'engine',
      action: 'candidate-build',
      subject: candidate.id,
      detail: { landings: landingIds.length, tree: merged.tree },
    },
    follow: check === undefined ? [{ type: 'landing-advance', jobId: job.id }] : [],
  })
  await check?.insert(records)
  return candidate
}
