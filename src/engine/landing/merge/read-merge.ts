import { BASE_TOLERATED } from '../../../domain/baseline/tolerates.ts'
import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import { isCandidateFinished } from '../../../domain/landing/candidate-state.ts'
import { NOTHING_CHECKED } from '../../../domain/landing/no-checks.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { importBranch } from './import-branch.ts'
import { isMerge, type Merge, type MergeState } from './merge.ts'
import { previewMerge } from './prepare-merge.ts'

type Needs = Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>

/** Reads the state of a job's merge from its rows and from the person's repository. */
export async function readMerge(needs: Needs, job: Job): Promise<Merge> {
  const candidates = await needs.store.read.candidates.listOfJob(job.id)
  const latest = candidates.findLast(isMerge)
  return mergeOf(job, await stateOf(needs, job, latest))
}

/** A merge with warnings for the person. */
export function mergeOf(job: Job, state: MergeState): Merge {
  const hasBegun = state.type !== 'none'
  return {
    job,
    state,
    warnings: [
      ...(hasBegun && !isJobFinished(job.state)
        ? [`the job is ${job.state.type}: only work that has landed so far is merged`]
        : []),
      ...(hasBegun && job.base?.type === 'tolerated' ? [BASE_TOLERATED] : []),
      ...(hasBegun && job.plan.checks.length === 0 ? [NOTHING_CHECKED] : []),
    ],
  }
}

async function stateOf(needs: Needs, job: Job, latest: Candidate | undefined): Promise<MergeState> {
  if (latest !== undefined && !isCandidateFinished(latest.state))
    return { type: 'checking', candidate: latest }
  const { projectId, workingBranch } = job
  const tip = await needs.branches.tip(projectId, workingBranch)
  const base = await importBranch(needs, job, job.baseBranch)
  const isIn = async (commit: string) =>
    base.ok && (await needs.history.isAncestor(projectId, commit, base.value))
  if (tip !== undefined && tip !== job.baseCommit) {
    const preview = await previewMerge(needs, job)
    if (preview.ok && preview.value.type === 'contained') return mergedAt(preview.value.base, latest)
  }
  if (latest?.state.type === 'dropped') {
    return { type: 'refused', candidate: latest, reason: latest.state.reason }
  }
  if (latest?.state.type !== 'landed' || tip === undefined) return { type: 'none' }
  if (await isIn(latest.commit)) return mergedAt(latest.commit, latest)
  return (await needs.history.isAncestor(projectId, latest.commit, tip))
    ? { type: 'waiting', commit: latest.commit, at: job.repositoryPath }
    : { type: 'none' }
}

function mergedAt(commit: string, latest: Candidate | undefined): MergeState {
  const isMade = latest?.state.type === 'landed' && latest.commit === commit
  return { type: 'merged', commit, hasMoved: false, ...(isMade ? { candidate: latest } : {}) }
}
