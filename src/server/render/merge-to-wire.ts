import type { WireMerge } from '../../contract/merge.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { Merge, MergeState } from '../../engine/landing/merge/merge.ts'

export function mergeToWire({ job, state, warnings }: Merge): WireMerge {
  const { id: jobId, baseBranch, workingBranch, repositoryPath } = job
  return {
    jobId,
    baseBranch,
    workingBranch,
    repositoryPath,
    status: state.type,
    hasMoved: false,
    checks: [],
    warnings,
    ...stateFields(job, state),
  }
}

function stateFields(job: Job, state: MergeState): Partial<WireMerge> {
  switch (state.type) {
    case 'none':
      return {}
    case 'merged':
      return {
        ...(state.candidate === undefined ? {} : candidateFields(state.candidate)),
        commit: state.commit,
        hasMoved: state.hasMoved,
      }
    case 'waiting':
      return { commit: state.commit, at: state.at }
    case 'checking':
      return { ...candidateFields(state.candidate), ...checkOf(job, state.candidate) }
    case 'refused':
      return { ...candidateFields(state.candidate), reason: state.reason }
    default:
      return assertNever(state)
  }
}

function candidateFields({ id, commit, tree, checks }: Candidate): Partial<WireMerge> {
  return { candidateId: id, commit, tree, checks }
}

function checkOf(job: Job, { state }: Candidate): Partial<WireMerge> {
  const check = state.type === 'checking' ? job.plan.checks[state.checkIndex] : undefined
  return check === undefined ? {} : { check }
}
