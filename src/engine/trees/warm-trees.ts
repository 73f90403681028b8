import type { ProjectId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'trees' | 'branches' | 'disk' | 'settings' | 'log'>

/** How many times the least free space must be free: how large a tree is, is known only when it is there. */
const AMPLE = 5

/**
 * Keeps a few unused trees of a project ready while a job of it runs, and none otherwise. Nobody depends on them:
 * what goes wrong here is written to the log and forgotten.
 */
export async function warmTrees(needs: Needs, project: ProjectId): Promise<void> {
  const open = await needs.store.read.jobs.listOpen()
  const running = open.filter((job) => job.projectId === project && job.state.type === 'running')
  const latest = running.toSorted((one, other) => one.updatedAt.getTime() - other.updatedAt.getTime()).at(-1)
  const wanted = latest === undefined ? undefined : await findTip(needs, latest)
  const isRoom = wanted !== undefined && (await hasRoom(needs))
  const count = isRoom ? needs.settings.warmTrees : 0
  const warmed = await needs.trees.warm({ project, commit: wanted ?? '', count })
  if (!warmed.ok) needs.log.warn({ project, problem: describeFailure(warmed.failure) }, 'no warm trees')
}

async function findTip(needs: Needs, job: Job): Promise<string> {
  return (await needs.branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
}

async function hasRoom({ disk, settings }: Needs): Promise<boolean> {
  if (settings.warmTrees === 0) return false
  return (await disk.freeMb(settings.warmDirectory)) >= settings.minimumFreeMb * AMPLE
}
