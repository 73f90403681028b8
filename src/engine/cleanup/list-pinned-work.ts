import { type ProjectId, parseId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { WorkSize } from '../../domain/landing/unusual-work.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Pin } from '../../ports/pins.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findNamedJob, type JobNotFound } from '../queries/find-record.ts'
import { findWorkOfJob, findWorkOfSession, type PinnedWork } from './pinned-work.ts'

export type PinnedNeeds = Pick<EngineNeeds, 'store' | 'branches' | 'history' | 'pins' | 'log'>

export type PinnedInput = {
  readonly job?: string | undefined
  /** Also work that isn't missing: superseded, restored, or by agents that were not asked to change files. */
  readonly isAll: boolean
  readonly limit: number
}

/** Pinned work with its size. */
export type SizedWork = PinnedWork & {
  readonly size?: Pick<WorkSize, 'files' | 'added' | 'removed' | 'bytes'>
}

/** Pinned work that did not land, newest first. */
export async function listPinnedWork(
  needs: PinnedNeeds,
  { job: text, isAll, limit }: PinnedInput,
): Promise<Result<readonly SizedWork[], JobNotFound | GitFailure>> {
  const named = await findNamedJob(needs, text)
  if (!named.ok) return named
  const found =
    named.value === undefined ? success(await findAll(needs)) : await findOfJob(needs, named.value)
  if (!found.ok) return found
  const shown = found.value.filter(({ fate }) => isAll || fate === 'unlanded')
  const newest = shown.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, limit)
  return success(await Promise.all(newest.map((work) => withSize(needs, work))))
}

export async function withSize(
  { history }: Pick<PinnedNeeds, 'history'>,
  work: PinnedWork,
): Promise<SizedWork> {
  const size = await history.measure(work.projectId, work.base, work.commit)
  if (!size.ok) return work
  const { files, added, removed, bytes } = size.value
  return { ...work, size: { files, added, removed, bytes } }
}

/** All of a job's work that did not land. */
export async function findOfJob(
  needs: PinnedNeeds,
  job: Job,
): Promise<Result<readonly PinnedWork[], GitFailure>> {
  const pins = await needs.pins.list(job.projectId)
  return pins.ok ? success(await findWorkOfJob(needs, job, pins.value)) : pins
}

async function findAll(needs: PinnedNeeds): Promise<readonly PinnedWork[]> {
  const found: PinnedWork[] = []
  for (const project of await needs.store.read.projects.list()) {
    found.push(...(await findOfProject(needs, project.id)))
  }
  return found
}

async function findOfProject(needs: PinnedNeeds, project: ProjectId): Promise<readonly PinnedWork[]> {
  const { read } = needs.store
  const pins = await readPins(needs, project)
  const attempts = await read.attempts.findMany(pins.flatMap(({ id }) => parseId('attempt', id) ?? []))
  const sessions = await read.sessions.findMany(pins.flatMap(({ id }) => parseId('session', id) ?? []))
  const found: PinnedWork[] = []
  for (const jobId of new Set(attempts.map((attempt) => attempt.jobId))) {
    const job = await read.jobs.find(jobId)
    const own = new Set<string>(attempts.filter((one) => one.jobId === jobId).map(({ id }) => id))
    const ownPins = pins.filter(({ id }) => own.has(id))
    if (job !== undefined) found.push(...(await findWorkOfJob(needs, job, ownPins)))
  }
  for (const pin of pins) {
    const session = sessions.find(({ id }) => id === pin.id)
    if (session !== undefined) found.push(...(await findWorkOfSession(needs, session, pin)))
  }
  return found
}

/** A damaged hub has no pins that could be shown; `muster doctor` reports it. */
async function readPins(needs: PinnedNeeds, project: ProjectId): Promise<readonly Pin[]> {
  const listed = await needs.pins.list(project)
  if (listed.ok) return listed.value
  needs.log.warn({ project, failure: listed.failure.type }, 'the pins of a project could not be listed')
  return []
}
