import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import type { DeletionFailure } from '../../domain/cleanup/cleanup-failure.ts'
import type { AttemptId, JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { pinAttempt } from '../attempts/pin-attempt.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { previewMerge } from '../landing/merge/prepare-merge.ts'
import { hostOf } from '../sessions/host-of.ts'
import { attemptTree } from '../trees/attempt-tree.ts'
import { treeOf } from '../trees/tree-of.ts'
import { findOfJob } from './list-pinned-work.ts'
import type { PinnedWork } from './pinned-work.ts'

export type DeletionNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'branches'
  | 'history'
  | 'commits'
  | 'pins'
  | 'trees'
  | 'host'
  | 'terminals'
  | 'disk'
  | 'settings'
  | 'clock'
  | 'crash'
  | 'log'
>

export type DeletionOptions = {
  /** The person agrees to lose work that exists nowhere else. */
  readonly withUnlandedWork?: boolean
  /** Pinned work may be lost, but nothing else that exists nowhere else. */
  readonly withPinnedWork?: boolean
  /** Also delete the working branch in the person's repository. */
  readonly withBranch?: boolean
}

/** What deleting a job removes, and what of it exists nowhere else. */
export type DeletionPlan = {
  readonly job: Job
  /** What of the job still runs. */
  readonly running: readonly string[]
  /** The jobs that continue from one of its runs. */
  readonly forks: readonly JobId[]
  /** Pinned work that no branch has. */
  readonly unlanded: readonly PinnedWork[]
  /** How many pieces of pinned work go too although they did not land: they are superseded. */
  readonly superseded: number
  /** Attempts whose work the hub should have, but doesn't: it may be damaged, moved or on a disk that is missing. */
  readonly missing: readonly AttemptId[]
  /** Working trees whose work can't be collected. It exists only there. */
  readonly uncollected: readonly UncollectedTree[]
  /** The head of the working branch, if what landed is in no branch of the person's repository. */
  readonly undelivered?: string
  /** The commit at which the person's branch is deleted too. */
  readonly removedBranch?: string
  readonly bytes: number
}

export type UncollectedTree = { readonly directory: string; readonly problem: string }

type PlanFailure = DeletionFailure | GitFailure

/** Finds out what deleting a job would remove. Pins work that is still only in a working tree. */
export async function planDeletion(
  needs: DeletionNeeds,
  job: Job,
  { withBranch = false }: DeletionOptions,
): Promise<Result<DeletionPlan, PlanFailure>> {
  const running = await findRunning(needs.store.read, job)
  const isOver = isJobFinished(job.state) && running.length === 0
  const uncollected = isOver ? await pinTrees(needs, job) : []
  const works = await findOfJob(needs, job)
  if (!works.ok) return works
  const removed = withBranch ? await findRemovedBranch(needs, job) : success(undefined)
  if (!removed.ok) return removed
  const undelivered = await findUndelivered(needs, job, removed.value !== undefined)
  const missing = await findMissingPins(needs, job)
  if (!missing.ok) return missing
  return success({
    job,
    running,
    forks: await needs.store.read.runs.listForks(job.id),
    missing: missing.value,
    uncollected,
    unlanded: works.value.filter(({ fate }) => fate === 'unlanded'),
    superseded: works.value.filter(({ fate }) => fate === 'superseded').length,
    ...(undelivered === undefined ? {} : { undelivered }),
    ...(removed.value === undefined ? {} : { removedBranch: removed.value }),
    bytes: await measure(needs, job),
  })
}

/** Sessions that have not ended, attempts that are not settled, and merges that are being checked. */
export async function findRunning(records: Records, { id }: Job): Promise<readonly string[]> {
  const [sessions, attempts, candidates] = await Promise.all([
    records.sessions.listLive(id),
    records.attempts.listUnsettled(id),
    records.candidates.listOpen(id),
  ])
  return [...sessions, ...attempts, ...candidates].map((record) => record.id)
}

/** The tree of a settled attempt may be the only copy of its work. Pinning it removes nothing. */
async function pinTrees(needs: DeletionNeeds, job: Job): Promise<readonly UncollectedTree[]> {
  const uncollected: UncollectedTree[] = []
  for (const attempt of await needs.store.read.attempts.listOfJob(job.id)) {
    if (attempt.tip !== undefined || !(await hasTree(needs, attempt))) continue
    const pinned = await pinAttempt(needs, job, attempt)
    if (pinned.ok) continue
    uncollected.push({ directory: attemptTree(needs, attempt), problem: describeFailure(pinned.failure) })
  }
  return uncollected
}

function hasTree({ disk, settings }: DeletionNeeds, attempt: Attempt): Promise<boolean> {
  return disk.exists(attemptTree({ settings }, attempt))
}

/** Without its hub, a job would look as if it had no work to lose. */
async function findMissingPins(
  { store, pins }: DeletionNeeds,
  job: Job,
): Promise<Result<readonly AttemptId[], GitFailure>> {
  const listed = await pins.list(job.projectId)
  if (!listed.ok) return listed
  const pinned = new Set<string>(listed.value.map(({ id }) => id))
  const landings = await store.read.landings.listOfJob(job.id)
  const landed = new Set(
    landings.filter(({ state }) => state.type === 'landed').map(({ attemptId }) => attemptId),
  )
  const attempts = await store.read.attempts.listOfJob(job.id)
  return success(
    attempts
      .filter((attempt) => {
        const { id, tip, baseCommit } = attempt
        const hasWork = attemptRulesOf(attempt).makesWork && tip !== undefined && tip !== baseCommit
        return hasWork && !pinned.has(id) && !landed.has(id)
      })
      .map(({ id }) => id),
  )
}

/**
 * Landed work that only the hub has: it could not be delivered, or the person deleted the branch. Commits that Muster
 * itself added to the branch after the last landing, such as one without the task list, are nobody's work.
 */
async function findUndelivered(
  needs: DeletionNeeds,
  job: Job,
  isBranchRemoved: boolean,
): Promise<string | undefined> {
  const { branches, store } = needs
  const landings = await store.read.landings.listOfJob(job.id)
  const landed = landings.flatMap(({ state }) => (state.type === 'landed' ? [state.commit] : []))
  const last = landed.at(-1)
  if (last === undefined) return undefined
  const head = (await branches.tip(job.projectId, job.workingBranch)) ?? last
  const except = isBranchRemoved ? job.workingBranch : undefined
  if ((await branches.findContained(job.repositoryPath, [head], except)).has(head)) return undefined
  const contained = await branches.findContained(job.repositoryPath, landed, except)
  if (landed.every((commit) => contained.has(commit))) return undefined
  // Squashed or picked, the work has other commits in the base branch, but merging it would change nothing.
  const preview = await previewMerge(needs, job)
  return preview.ok && preview.value.type === 'contained' ? undefined : head
}

async function findRemovedBranch(
  { branches }: DeletionNeeds,
  job: Job,
): Promise<Result<string | undefined, PlanFailure>> {
  const { repositoryPath, workingBranch: branch, baseCommit } = job
  const delivered = (await branches.tip(job.projectId, branch)) ?? baseCommit
  const removable = await branches.findRemovable(repositoryPath, branch, delivered)
  if (removable.ok) return removable
  const { failure: obstacle } = removable
  if (obstacle.type === 'branch-checked-out') return failure({ type: 'branch-kept', branch, at: obstacle.at })
  if (obstacle.type === 'branch-diverged' || obstacle.type === 'delivery-failed')
    return failure({ type: 'branch-kept', branch })
  return failure(obstacle)
}

async function measure({ store, host, settings }: DeletionNeeds, job: Job): Promise<number> {
  const [rows, sessions, attempts] = await Promise.all([
    store.read.deletions.bytesOf(job.id),
    store.read.sessions.listOfJob(job.id),
    store.read.attempts.listOfJob(job.id),
  ])
  const paths = [
    ...sessions.map((session) => host.directoryOf(hostOf(session))),
    ...attempts.map(({ id }) => treeOf({ settings }, id)),
  ]
  let bytes = rows
  for (const path of paths) bytes += await settings.bytesUsedBy(path)
  return bytes
}
