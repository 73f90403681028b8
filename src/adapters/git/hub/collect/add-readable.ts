import { link, rename, rm } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { STDERR_KEPT_BYTES } from '../process/git-output.ts'
import type { Git, GitCall, GitRun } from '../process/run-git.ts'
import { makeReadable } from './make-readable.ts'

const DENIED = /^(?:(?:error|warning|fatal): )?(.+): Permission denied$/m
const DENIED_LENGTH = 300

/**
 * Runs `git add` in a tree of ours. Git leaves out what it may not read, and counts a closed folder of tracked files as
 * unchanged, so that work would be lost with the tree. The tree is therefore made readable before another try. If that
 * doesn't help, the failure is permanent, and the tree is kept. The other try starts with the index as it was, because
 * git adds ignored files if it may not read the rules that name them.
 */
export async function addReadable(
  git: Git,
  call: GitCall,
  { root, indexFile }: { readonly root: string; readonly indexFile: string },
): Promise<Result<GitRun, GitFailure>> {
  // Git replaces an index file instead of writing into it.
  const original = `${indexFile}.original`
  await rm(original, { force: true })
  await link(indexFile, original).catch(ignoreCodes('ENOENT'))
  const first = await git(call)
  if (!first.ok || !mayBeDenied(first.value)) return first
  await makeReadable(root)
  await rm(indexFile, { force: true })
  await rename(original, indexFile).catch(ignoreCodes('ENOENT'))
  const second = await git(call)
  const denied = second.ok ? DENIED.exec(second.value.stderr)?.[1] : undefined
  if (denied === undefined) return second
  const problem = `part of the working tree can't be read: ${denied.slice(0, DENIED_LENGTH)}`
  return failure({ type: 'git-failed', command: 'git add', problem, isPermanent: true })
}

/** Only the end of what git prints is kept, so a long text may have begun with it. */
function mayBeDenied({ stderr }: GitRun): boolean {
  return DENIED.test(stderr) || Buffer.byteLength(stderr) >= STDERR_KEPT_BYTES
}
