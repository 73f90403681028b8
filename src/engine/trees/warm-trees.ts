import { type ProjectId, parseId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Work } from '../../ports/work-queue.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'trees' | 'branches' | 'disk' | 'settings' | 'log'>

/** How many times the required free space must be available: a tree's size is only known once it exists. */
const AMPLE = 5

/**
 * Keeps a few unused trees ready while one of the project's jobs runs, and none otherwise. Nothing depends on them, so
 * errors are only logged.
 */
export async function warmTrees(needs: Needs, project: ProjectId): Promise<void> {
  const open = await needs.store.read.jobs.listOpen()
  const running = open.filter((job) => job.projectId === project && job.state.type === 'running')
  const latest = running.toSorted((one, other) => one.updatedAt.getTime() - other.updatedAt.getTime()).at(-1)
  const wanted = latest === undefined ? undefined : await findTip(needs, latest)
  const isRoom = wanted !== undefined && (await hasRoom(needs))
  const count = isRoom ? needs.settings.warmTrees : 0
  const warmed = await needs.trees.warm({ project, commit: wanted ?? '', count })
  if (!warmed.ok)
    needs.log.warn({ project, problem: describeFailure(warmed.failure) }, 'could not prepare warm trees')
}

/** Work that updates warm trees: for projects with a running job and for projects with trees left over. */
export async function findWarmWork(
  needs: Pick<EngineNeeds, 'disk' | 'settings'>,
  openJobs: readonly Job[],
): Promise<readonly Work[]> {
  const running = openJobs.filter(({ state }) => state.type === 'running').map(({ projectId }) => projectId)
  const kept = await needs.disk.list(needs.settings.warmDirectory)
  const left = kept.flatMap((name) => parseId('project', name) ?? [])
  return [...new Set([...running, ...left])].map((projectId) => ({ type: 'trees-warm', projectId }))
}

async function findTip(needs: Needs, job: Job): Promise<string> {
  return (await needs.branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
}

async function hasRoom({ disk, settings }: Needs): Promise<boolean> {
  if (settings.warmTrees === 0) return false
  return (await disk.freeMb(settings.warmDirectory)) >= settings.minimumFreeMb * AMPLE
}
