import { assertNever } from '../../domain/assert-never.ts'
import { daysBefore } from '../../domain/cleanup/days-before.ts'
import { type ProjectId, parseId } from '../../domain/id.ts'
import { CLEANUP_LIMITS } from '../../domain/limits/cleanup-limits.ts'
import type { HubUpkeep } from '../../ports/hub-upkeep.ts'
import { clearAttempt } from '../attempts/clear-attempt.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { clearSession } from '../sessions/end/clear-session.ts'
import { treeOf } from '../trees/tree-of.ts'
import { finishDeletion } from './finish-deletion.ts'
import { whyBusy } from './idle-project.ts'
import type { DeletionNeeds } from './inspect-deletion.ts'
import { judgeFiles, judgeTree, listTrees, type TreeVerdict } from './judge-leftover.ts'

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

/** Removes what nothing needs: leftovers of ended sessions, warm trees, old results of base checks, unused objects. */
export async function collectGarbage(needs: GarbageNeeds, isDryRun: boolean): Promise<readonly Garbage[]> {
  const items: Garbage[] = []
  // Each step may leave something for the next: without trees, hubs can be compacted.
  for (const find of [findDeletions, findFiles, findTrees, findWarmTrees, findBaselines, findObjects]) {
    for (const found of await find(needs, isDryRun)) items.push(await remove(needs, found, isDryRun))
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
    const left = await judgeFiles(needs, hostId)
    if (left === undefined || left.isNeeded) continue
    // The reconciler stops a program whose session has ended. Files that an agent damaged can be removed, but not
    // inspected.
    const snapshot = await needs.host.inspect(hostId).catch(() => undefined)
    if (snapshot?.type === 'running') continue
    const bytes = await needs.settings.bytesUsedBy(needs.host.directoryOf(hostId))
    const act = () => needs.host.remove(hostId).then(() => undefined)
    found.push({
      what: 'session-files',
      name: hostId,
      reason: left.reason,
      bytes,
      isKept: false,
      remove: act,
    })
  }
  return found
}

async function findTrees(needs: GarbageNeeds, isDryRun: boolean): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const name of await listTrees(needs)) {
    const judged = describeTree(needs, await judgeTree(needs, name), isDryRun)
    if (judged === undefined) continue
    const bytes = await needs.settings.bytesUsedBy(`${needs.settings.treesDirectory}/${name}`)
    found.push({ what: 'working-tree', name, bytes, ...judged })
  }
  return found
}

type Judged = Pick<Found, 'reason' | 'isKept' | 'remove'>

function describeTree(needs: GarbageNeeds, verdict: TreeVerdict, isDryRun: boolean): Judged | undefined {
  const unneeded = (reason: string, remove: () => Promise<unknown>): Judged => ({
    reason,
    isKept: false,
    remove: () => remove().then(() => undefined),
  })
  switch (verdict.type) {
    case 'attempt-settled':
      return isDryRun ? previewAttempt(needs, verdict) : removableAttempt(needs, verdict)
    case 'session-ended':
      return unneeded('its session has ended, and its work is pinned', () =>
        clearSession(needs, verdict.sessionId),
      )
    case 'checked':
      return unneeded('it was only checked, and its commit is in the hub', () =>
        needs.trees.remove(treeOf(needs, verdict.owner)),
      )
    case 'unexplained':
      return { reason: 'no record refers to it, and it may contain work', isKept: true }
    case 'in-use':
      return undefined
    default:
      return assertNever(verdict)
  }
}

type SettledAttempt = Extract<TreeVerdict, { type: 'attempt-settled' }>

function removableAttempt(needs: GarbageNeeds, { attemptId }: SettledAttempt): Judged {
  return {
    reason: 'its attempt has ended, and its work is pinned',
    isKept: false,
    remove: async () => {
      const cleared = await clearAttempt(needs, attemptId)
      return cleared.ok ? undefined : `its work can't be collected: ${describeFailure(cleared.failure)}`
    },
  }
}

/** What would happen to the tree, as far as that is known without collecting it. */
function previewAttempt({ settings }: GarbageNeeds, { attemptId, isPinned }: SettledAttempt): Judged {
  if (settings.keptTrees.has(attemptId)) {
    return { reason: "its work couldn't be collected, and this is the only copy", isKept: true }
  }
  const work = isPinned ? 'and its work is pinned' : 'and its work would be pinned first'
  return { reason: `its attempt has ended, ${work}`, isKept: false }
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
  const before = daysBefore(clock.now(), CLEANUP_LIMITS.baselineDays)
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
