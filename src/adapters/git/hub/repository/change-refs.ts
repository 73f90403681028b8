import { stat, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { HubGit } from '../process/companions.ts'
import { gitFailed } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { absentIdLike } from './object-id.ts'

export type RefChange =
  | { readonly type: 'set'; readonly ref: string; readonly to: string }
  | { readonly type: 'move'; readonly ref: string; readonly to: string; readonly from: string | undefined }
  | { readonly type: 'delete'; readonly ref: string }
  /** Deletes a ref that is still at `from`. */
  | { readonly type: 'remove'; readonly ref: string; readonly from: string }

export type RefFailure = { readonly type: 'ref-moved' } | GitFailure

const MOVED = /cannot lock ref '[^']*': (?:is at |reference already exists|unable to resolve reference)/
const LOCK_TAKEN = /Unable to create '(.+\.lock)': File exists/s
/** A thousand times as long as any of our git commands holds a lock. */
const STALE_AFTER_MS = 10_000
const WAIT_MS = 250
const LONGEST_WAIT_MS = STALE_AFTER_MS + 5_000

/** Changes all of these refs or none. */
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

/** Changes refs in a hub, where the lock of a killed git must not block a branch forever. */
export async function changeHubRefs(
  needs: { readonly git: Git },
  hub: string,
  changes: readonly RefChange[],
): Promise<Result<void, RefFailure>> {
  return await pastStaleLocks(hub, () => changeRefs(needs, hub, changes), problemOf)
}

/** Sets or deletes refs in a hub, whatever they point to now. */
export async function setHubRefs(
  needs: HubGit,
  hub: string,
  changes: readonly Exclude<RefChange, { readonly type: 'move' | 'remove' }>[],
): Promise<Result<void, GitFailure>> {
  if (await changeQuickly(needs, hub, changes)) return success(undefined)
  const changed = await changeHubRefs(needs, hub, changes)
  if (changed.ok) return changed
  if (changed.failure.type !== 'ref-moved') return failure(changed.failure)
  return failure({ type: 'git-failed', command: 'git update-ref', problem: 'another process changed a ref' })
}

/**
 * False also if the outcome is unknown. The caller then runs git, which finds the refs changed or reports a problem.
 */
export async function changeQuickly(
  { companions }: Pick<HubGit, 'companions'>,
  hub: string,
  changes: readonly RefChange[],
): Promise<boolean> {
  const question = `start\n${changes.map(changeLine).join('')}commit\n`
  return (await companions.ask(hub, 'update-ref', question)) !== undefined
}

/** Runs git again while a lock in the hub blocks it. Removes a lock that is too old to be in use. */
export async function pastStaleLocks<Answer>(
  hub: string,
  run: () => Promise<Answer>,
  errorOf: (answer: Answer) => string,
): Promise<Answer> {
  const deadline = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const answer = await run()
    const lock = LOCK_TAKEN.exec(errorOf(answer))?.[1]
    if (lock === undefined || !lock.startsWith(`${hub}/`) || Date.now() > deadline) return answer
    if (!(await removeStale(lock))) await sleep(WAIT_MS)
  }
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
  if (change.type === 'remove') return `delete ${change.ref} ${change.from}\n`
  return `update ${change.ref} ${change.to} ${change.from ?? absentIdLike(change.to)}\n`
}
