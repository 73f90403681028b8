import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'
import { findRepositoryAt } from './find-repository.ts'

/** Where people keep work. Notes, stashes and reflogs don't count: git removes them by itself. */
const NAMESPACES = ['refs/heads', 'refs/remotes', 'refs/tags']

export type ContainmentRequest = {
  readonly source: string
  readonly commits: readonly string[]
  /** A branch that doesn't count, because it is about to be deleted. */
  readonly except: string | undefined
}

/** Those of the commits that a branch or a tag of the person's repository contains. */
export async function findContained(
  needs: { readonly git: Git },
  { source, commits, except }: ContainmentRequest,
): Promise<ReadonlySet<string>> {
  const found = await findRepositoryAt(source)
  const contained = new Set<string>()
  if (!found.ok) return contained
  for (const commit of new Set(commits)) {
    if (isObjectId(commit) && (await isContained(needs, found.value.commonDirectory, commit, except)))
      contained.add(commit)
  }
  return contained
}

async function isContained(
  { git }: { readonly git: Git },
  directory: string,
  commit: string,
  except: string | undefined,
): Promise<boolean> {
  // One more than needed, in case the first is the branch that doesn't count. An unknown commit is an error of git.
  const said = await askGit(git, {
    directory,
    arguments: ['for-each-ref', '--count=2', '--format=%(refname)', `--contains=${commit}`, ...NAMESPACES],
  })
  if (said.code !== 0) return false
  const refs = said.stdout.toString('utf8').split('\n').filter(Boolean)
  return refs.some((ref) => ref !== `refs/heads/${except}`)
}
