import { type ProjectId, parseId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'disk' | 'settings'>

/** Why a project's hub must not be compacted now; undefined if nothing uses it. */
export async function whyBusy(needs: Needs, project: ProjectId): Promise<string | undefined> {
  const { read } = needs.store
  const job = (await read.jobs.listOpen()).find(({ projectId }) => projectId === project)
  if (job !== undefined) return `${job.id} has not ended`
  for (const session of await read.sessions.listLive()) {
    if ((await projectOf(needs, session)) === project) return `${session.id} has not ended`
  }
  for (const { id, jobId } of await read.candidates.listOpen()) {
    if ((await read.jobs.find(jobId))?.projectId === project) return `${id} is being checked`
  }
  const baseline = (await read.baselines.listOpen()).find(({ projectId }) => projectId === project)
  if (baseline !== undefined) return `${baseline.id} is being checked`
  return await findTree(needs, project)
}

async function projectOf({ store }: Needs, { jobId, purpose }: Session): Promise<ProjectId | undefined> {
  if ('projectId' in purpose) return purpose.projectId
  return jobId === undefined ? undefined : (await store.read.jobs.find(jobId))?.projectId
}

/** Trees borrow the hub's objects. A tree without a record might belong to any project. */
async function findTree({ store, disk, settings }: Needs, project: ProjectId): Promise<string | undefined> {
  if ((await disk.list(`${settings.warmDirectory}/${project}`)).length > 0) return 'it has warm trees'
  for (const entry of await disk.list(settings.treesDirectory)) {
    const name = entry.split('.', 1)[0] ?? ''
    const attemptId = parseId('attempt', name)
    const attempt = attemptId === undefined ? undefined : await store.read.attempts.find(attemptId)
    const job = attempt === undefined ? undefined : await store.read.jobs.find(attempt.jobId)
    if (job === undefined || job.projectId === project) return `the working tree ${name} may use it`
  }
  return undefined
}
