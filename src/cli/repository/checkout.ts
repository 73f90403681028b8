import type { Result } from '../../domain/result.ts'
import { type Environment, REMARK_MS, runGit } from './run-git.ts'

/** Whether a person's checkout can be updated: only without changes that aren't committed. */
export type Checkout =
  | { readonly type: 'clean' }
  | { readonly type: 'changed'; readonly files: readonly string[] }
  /** It isn't on this machine, has another branch by now, or git can't read it. */
  | { readonly type: 'unreadable' }

/** Untracked files don't count: `fastForward` doesn't overwrite them. */
export async function readCheckout(
  environment: Environment,
  directory: string,
  branch: string,
): Promise<Checkout> {
  const head = await runGit(environment, directory, ['symbolic-ref', 'HEAD'])
  if (!head.ok || head.value.trim() !== `refs/heads/${branch}`) return { type: 'unreadable' }
  const status = await runGit(environment, directory, [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=no',
  ])
  if (!status.ok) return { type: 'unreadable' }
  const files = changedFiles(status.value)
  return files.length === 0 ? { type: 'clean' } : { type: 'changed', files }
}

/**
 * The files that differ from the last commit, new ones included; none if git can't tell in a few seconds. Git runs
 * filters that the repository configures, so this is only for a repository that the person trusts.
 */
export async function uncommittedFiles(
  environment: Environment,
  directory: string,
): Promise<readonly string[]> {
  const parameters = ['--no-optional-locks', '-c', 'core.fsmonitor=false', 'status', '--porcelain=v1', '-z']
  const status = await runGit(environment, directory, parameters, REMARK_MS)
  return status.ok ? changedFiles(status.value) : []
}

/**
 * Updates branch, index and files, as the person would. Fails without changing anything if something is in the way, even
 * an ignored file: by default, git overwrites those, and the person may have no other copy.
 */
export function fastForward(
  environment: Environment,
  directory: string,
  commit: string,
): Promise<Result<string, string>> {
  const parameters = ['merge', '--quiet', '--ff-only', '--no-overwrite-ignore', '--end-of-options', commit]
  return runGit(environment, directory, parameters)
}

/** Each entry is two letters, a space and a path. A renamed file is followed by its old path. */
function changedFiles(status: string): readonly string[] {
  const files: string[] = []
  const entries = status.split('\0').values()
  for (const entry of entries) {
    if (entry === '') continue
    files.push(entry.slice(3))
    if (entry[0] === 'R' || entry[0] === 'C') entries.next()
  }
  return files
}
