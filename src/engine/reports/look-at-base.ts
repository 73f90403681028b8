import type { Job } from '../../domain/job/job.ts'
import type { BaseSight } from '../../domain/report/report-sight.ts'
import { prepareMerge } from '../merging/prepare-merge.ts'
import type { ReportNeeds } from './report-needs.ts'

/** What a merge into the base branch would meet now; undefined when nobody can tell. */
export async function lookAtBase(
  needs: Pick<ReportNeeds, 'branches' | 'history' | 'commits'>,
  job: Job,
): Promise<BaseSight | undefined> {
  const prepared = await prepareMerge(needs, job)
  if (!prepared.ok) {
    const { failure } = prepared
    return failure.type === 'merge-conflict' ? { type: 'conflict', paths: failure.paths } : undefined
  }
  const merge = prepared.value
  return merge.type === 'commit' ? { type: 'apart', commit: merge.onto } : { type: 'forward' }
}
