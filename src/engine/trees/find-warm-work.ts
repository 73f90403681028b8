import { parseId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'disk' | 'settings'>

/** What would bring warm trees in order: of projects with a running job, and of those that have some left over. */
export async function findWarmWork(needs: Needs, openJobs: readonly Job[]): Promise<readonly Work[]> {
  const running = openJobs.filter(({ state }) => state.type === 'running').map(({ projectId }) => projectId)
  const kept = await needs.disk.list(needs.settings.warmDirectory)
  const left = kept.flatMap((name) => parseId('project', name) ?? [])
  return [...new Set([...running, ...left])].map((projectId) => ({ type: 'trees-warm', projectId }))
}
