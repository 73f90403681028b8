import { stat, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { gitFailed } from '../process/git-answer.ts'
import type { Git, GitRun } from '../process/run-git.ts'
import { ignoreCodes } from '../process/system-error.ts'
import { absentIdLike } from './object-id.ts'

export type RefChange =
  | { readonly type: 'set'; readonly ref: string; readonly to: string }
  | { readonly type: 'move'; readonly ref: string; readonly to: string; readonly from: string | undefined }
  | { readonly type: 'delete'; readonly ref: string }

export type RefFailure = { readonly type: 'ref-moved' } | GitFailure

const MOVED = /cannot lock ref '[^']*': (?:is at |reference already exists|unable to resolve reference)/
const LOCK_TAKEN = /Unable to create '(.+\.lock)': File exists/s
/** No git of ours holds a lock for a thousandth of this. */
const STALE_AFTER_MS = 10_000
const WAIT_MS = 250
const LONGEST_WAIT_MS = STALE_AFTER_MS + 5_000

/** Changes all of these refs or none of them. */
export async function changeRefs(
  needs: { readonly git: Git },
  directory: string,
  changes: readonly RefChange[],
): Promise<Result<void, RefFailure>> {
  const changed = await needs.git({
    directory,
    arguments: ['update-ref', '--no-deref', '--stdin', '-m', 'muster'],
    input: changes.map(changeLine).join(''),
  })
  if (!changed.ok) return changed
  if (changed.value.code === 0) return success(undefined)
  if (MOVED.test(changed.value.stderr)) return failure({ type: 'ref-moved' })
  return failure(gitFailed(changed.value))
}

/** The same in a hub, where a lock left by a git that was killed must not close a branch for ever. */
export async function changeHubRefs(
  needs: { readonly git: Git },
  hub: string,
  changes: readonly RefChange[],
): Promise<Result<void, RefFailure>> {
  return await pastStaleLocks(hub, () => changeRefs(needs, hub, changes), problemOf)
}

/** For refs that nobody expects to be somewhere: sets or deletes them as they are. */
export async function setHubRefs(
  needs: HubGit,
  hub: string,
  changes: readonly Exclude<RefChange, { readonly type: 'move' }>[],
): Promise<Result<void, GitFailure>> {
  if (await changeQuickly(needs, hub, changes)) return success(undefined)
  const changed = await changeHubRefs(needs, hub, changes)
  if (changed.ok) return changed
  if (changed.failure.type !== 'ref-moved') return failure(changed.failure)
  return failure({ type: 'git-failed', command: 'git update-ref', problem: 'a ref was changed by another' })
}

/** False also when it is not known: the git that is then run finds the refs changed, or reports what is wrong. */
export async function changeQuickly(
  { companions }: Pick<HubGit, 'companions'>,
  hub: string,
  changes: readonly RefChange[],
): Promise<boolean> {
  const question = `start\n${changes.map(changeLine).join('')}commit\n`
  return (await companions.ask(hub, 'update-ref', question)) !== undefined
}

/** Runs git again while a lock of the hub is in its way, and removes one that is too old to be held. */
export async function pastStaleLocks<Answer>(
  hub: string,
  run: () => Promise<Answer>,
  complaintOf: (answer: Answer) => string,
): Promise<Answer> {
  const deadline = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const answer = await run()
    const lock = LOCK_TAKEN.exec(complaintOf(answer))?.[1]
    if (lock === undefined || !lock.startsWith(`${hub}/`) || Date.now() > deadline) return answer
    if (!(await removeStale(lock))) await sleep(WAIT_MS)
  }
}

/** What git printed, for looking for a lock in it. */
export function complaintOfRun(ran: Result<GitRun, GitFailure>): string {
  return ran.ok && ran.value.code !== 0 ? ran.value.stderr : ''
}

function problemOf(changed: Result<void, RefFailure>): string {
  return !changed.ok && changed.failure.type === 'git-failed' ? changed.failure.problem : ''
}

async function removeStale(lock: string): Promise<boolean> {
  const seen = await stat(lock).catch(ignoreCodes('ENOENT'))
  if (seen === undefined) return true
  if (Date.now() - seen.mtimeMs < STALE_AFTER_MS) return false
  await unlink(lock).catch(ignoreCodes('ENOENT'))
  return true
}

function changeLine(change: RefChange): string {
  if (change.type === 'set') return `update ${change.ref} ${change.to}\n`
  if (change.type === 'delete') return `delete ${change.ref}\n`
  return `update ${change.ref} ${change.to} ${change.from ?? absentIdLike(change.to)}\n`
}
