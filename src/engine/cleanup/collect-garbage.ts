import { type ProjectId, parseId } from '../../domain/id.ts'
import { CLEANUP_LIMITS } from '../../domain/limits/cleanup-limits.ts'
import type { HubUpkeep } from '../../ports/hub-upkeep.ts'
import type { HostId } from '../../ports/session-host.ts'
import { clearAttempt } from '../attempts/clear-attempt.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { clearSession } from '../sessions/end/clear-session.ts'
import { processOfHost } from '../sessions/host-of.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import { finishDeletion } from './finish-deletion.ts'
import { whyBusy } from './idle-project.ts'
import type { DeletionNeeds } from './inspect-deletion.ts'

export type GarbageNeeds = DeletionNeeds &
  Pick<EngineNeeds, 'sendWork' | 'answerMessage'> & {
    readonly upkeep: HubUpkeep
    /** Runs work during which no backup may copy a hub; false if a backup is running. */
    readonly withoutBackup: (work: () => Promise<void>) => Promise<boolean>
  }

/** Something that nothing needs any more, or that looks like it. */
export type Garbage = {
  readonly what: 'deletion' | 'session-files' | 'working-tree' | 'warm-trees' | 'base-check' | 'objects'
  readonly name: string
  readonly reason: string
  readonly bytes: number
  /** It stays, for that reason. */
  readonly isKept: boolean
}

/** `remove` returns why it had to stay after all, or how much it freed if that was not known before. */
type Found = Garbage & { readonly remove?: () => Promise<string | number | undefined> }

const DAY_MS = 24 * 60 * 60_000

/** Removes what nothing needs: leftovers of ended sessions, warm trees, old results of base checks, unused objects. */
export async function collectGarbage(needs: GarbageNeeds, isDryRun: boolean): Promise<readonly Garbage[]> {
  const items: Garbage[] = []
  // Each step may leave something for the next: without trees, hubs can be compacted.
  for (const find of [findDeletions, findFiles, findTrees, findWarmTrees, findBaselines, findObjects]) {
    for (const found of await find(needs)) items.push(await remove(needs, found, isDryRun))
  }
  return items
}

async function remove({ log }: GarbageNeeds, found: Found, isDryRun: boolean): Promise<Garbage> {
  const { remove: act, ...garbage } = found
  if (isDryRun || act === undefined) return garbage
  try {
    const outcome = await act()
    if (typeof outcome === 'string') return { ...garbage, isKept: true, reason: outcome }
    return { ...garbage, bytes: outcome ?? garbage.bytes }
  } catch (error) {
    log.warn({ name: garbage.name, error: String(error) }, 'garbage could not be removed')
    return { ...garbage, isKept: true, reason: 'it could not be removed; the reason is in the daemon log' }
  }
}

async function findDeletions(needs: GarbageNeeds): Promise<readonly Found[]> {
  const open = await needs.store.read.deletions.listOpen()
  return open.map(({ jobId }) => ({
    what: 'deletion',
    name: jobId,
    reason: 'its deletion was interrupted',
    bytes: 0,
    isKept: false,
    remove: () => finishDeletion(needs, jobId).then(() => undefined),
  }))
}

async function findFiles(needs: GarbageNeeds): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const hostId of await needs.host.list()) {
    const reason = await whyUnneeded(needs, hostId)
    if (reason === undefined) continue
    const bytes = await needs.settings.bytesUsedBy(needs.host.directoryOf(hostId))
    const act = () => needs.host.remove(hostId).then(() => undefined)
    found.push({ what: 'session-files', name: hostId, reason, bytes, isKept: false, remove: act })
  }
  return found
}

/** Undefined while the files of a session's process are needed. */
async function whyUnneeded(needs: GarbageNeeds, hostId: HostId): Promise<string | undefined> {
  const process = processOfHost(hostId)
  if (process === undefined || (await needs.host.inspect(hostId)).type === 'running') return undefined
  const session = await needs.store.read.sessions.find(process.sessionId)
  if (session === undefined) return 'its session was deleted'
  if (session.state.type !== 'terminated' || (await planOf(session).isNeeded(needs))) return undefined
  return 'its session has ended'
}

async function findTrees(needs: GarbageNeeds): Promise<readonly Found[]> {
  const names = await needs.disk.list(needs.settings.treesDirectory)
  const found: Found[] = []
  for (const name of new Set(names.map((entry) => entry.split('.', 1)[0] ?? ''))) {
    const judged = await judgeTree(needs, name)
    if (judged === undefined) continue
    const directory = `${needs.settings.treesDirectory}/${name}`
    const bytes = await needs.settings.bytesUsedBy(directory)
    found.push({ what: 'working-tree', name, bytes, ...judged })
  }
  return found
}

type Judged = Pick<Found, 'reason' | 'isKept' | 'remove'>

/** Undefined for a tree in use. A tree that no record explains may have the only copy of someone's work. */
async function judgeTree(needs: GarbageNeeds, name: string): Promise<Judged | undefined> {
  const { read } = needs.store
  const attemptId = parseId('attempt', name)
  const attempt = attemptId === undefined ? undefined : await read.attempts.find(attemptId)
  if (attemptId !== undefined && attempt !== undefined) {
    if (attempt.state.type !== 'settled') return undefined
    const act = () => clearAttempt(needs, attemptId).then(() => undefined)
    return { reason: 'its attempt has ended, and its work is pinned', isKept: false, remove: act }
  }
  const sessionId = parseId('session', name)
  const session = sessionId === undefined ? undefined : await read.sessions.find(sessionId)
  if (sessionId !== undefined && session !== undefined) {
    if (session.state.type !== 'terminated') return undefined
    const act = () => clearSession(needs, sessionId).then(() => undefined)
    return { reason: 'its session has ended, and its work is pinned', isKept: false, remove: act }
  }
  // The reconciler removes trees of checks.
  if (parseId('candidate', name) !== undefined || parseId('baseline', name) !== undefined) return undefined
  return { reason: 'no record refers to it, and it may contain work', isKept: true }
}

async function findWarmTrees(needs: GarbageNeeds): Promise<readonly Found[]> {
  const { disk, settings, store, trees } = needs
  const open = await store.read.jobs.listOpen()
  const projects = (await disk.list(settings.warmDirectory)).flatMap((name) => parseId('project', name) ?? [])
  const idle = projects.filter((project) => open.every(({ projectId }) => projectId !== project))
  return await Promise.all(
    idle.map(async (project): Promise<Found> => {
      const act = () => trees.warm({ project, commit: '', count: 0 }).then(() => undefined)
      const bytes = await settings.bytesUsedBy(`${settings.warmDirectory}/${project}`)
      const reason = 'no job of the project is open'
      return { what: 'warm-trees', name: project, reason, bytes, isKept: false, remove: act }
    }),
  )
}

async function findBaselines({ store, clock }: GarbageNeeds): Promise<readonly Found[]> {
  const before = new Date(clock.now().getTime() - CLEANUP_LIMITS.baselineDays * DAY_MS)
  const unused = await store.read.baselines.listUnused(before)
  return unused.map(({ id, bytes }) => ({
    what: 'base-check',
    name: id,
    reason: `no job refers to it, and it is older than ${CLEANUP_LIMITS.baselineDays} days`,
    bytes,
    isKept: false,
    remove: async () => {
      const audit = { actor: 'person', action: 'baseline-remove', subject: id, detail: {} } as const
      const isRemoved = await store.transact((records) => records.baselines.remove(id, { audit }))
      return isRemoved ? undefined : 'a job refers to it now'
    },
  }))
}

async function findObjects(needs: GarbageNeeds): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const { id } of await needs.store.read.projects.list()) {
    const needed = await findNeeded(needs, id)
    const waste = await needs.upkeep.measure(id, needed)
    if (!waste.ok || waste.value === 0) continue
    const busy = await whyBusy(needs, id)
    const common = { what: 'objects', name: id, bytes: waste.value } as const
    const age = `objects older than ${CLEANUP_LIMITS.unreachableHours} hours that nothing refers to`
    found.push(
      busy === undefined
        ? { ...common, reason: age, isKept: false, remove: () => compact(needs, id, needed) }
        : { ...common, reason: busy, isKept: true },
    )
  }
  return found
}

async function compact(
  needs: GarbageNeeds,
  project: ProjectId,
  needed: readonly string[],
): Promise<string | number> {
  let outcome: string | number = 0
  const isRun = await needs.withoutBackup(async () => {
    const isIdle = async () => (await whyBusy(needs, project)) === undefined
    const compacted = await needs.upkeep.compact(project, needed, isIdle)
    if (!compacted.ok) outcome = describeFailure(compacted.failure)
    else if (compacted.value === undefined) outcome = 'something of the project has started'
    else outcome = compacted.value || `they are younger than ${CLEANUP_LIMITS.unreachableHours} hours`
  })
  return isRun ? outcome : 'a backup is running'
}

/** The commits that rows name: what `muster diff` shows must stay. */
async function findNeeded({ store }: GarbageNeeds, project: ProjectId): Promise<readonly string[]> {
  const { read } = store
  const commits: (string | undefined)[] = []
  for (const job of await read.jobs.list({ projectId: project }, { limit: Number.MAX_SAFE_INTEGER })) {
    commits.push(job.baseCommit)
    for (const { baseCommit, tip } of await read.attempts.listOfJob(job.id)) commits.push(baseCommit, tip)
    for (const { onto, commit } of await read.candidates.listOfJob(job.id)) commits.push(onto, commit)
  }
  return commits.filter((commit) => commit !== undefined)
}
