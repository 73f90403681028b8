import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { UsableWork } from '../../../../ports/working-trees.ts'
import { askForCommit, type CommitFacts } from '../commit/commit-facts.ts'
import { listChangedFiles } from '../history/list-changed-files.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'

/** The most commits, and the most files, that are listed. */
export const LISTED = 10_000
const MOST_STEPS = 20

export type WorkRequest = {
  readonly base: string
  readonly tip: string
  /** The agent's own last commit, which is `tip` or its parent. Absent if it isn't known. */
  readonly own?: CommitFacts
  /** Paths that the base doesn't have and that must not be published. */
  readonly excluded: readonly string[]
  /** The files that differ, if they are already known. */
  readonly files?: readonly string[]
}

export type FoundWork = Pick<UsableWork, 'commits' | 'files'> & {
  /** Paths of `excluded` that any commit touched, even if a later one removed them. */
  readonly committedCopies: readonly string[]
}

/** The commits that only `tip` has, oldest first, and the files that differ from `base`. */
export async function findWork(
  needs: HubGit,
  hub: string,
  request: WorkRequest,
): Promise<Result<FoundWork, GitFailure>> {
  const { base, tip, excluded } = request
  if (base === tip) return success({ commits: [], files: [], committedCopies: [] })

  const line = await followParents(needs, hub, request)
  const [commits, files] = await Promise.all([
    line === undefined ? listCommits(needs.git, hub, base, tip) : success(line),
    request.files === undefined
      ? listChangedFiles(needs.git, hub, { from: base, to: tip, most: LISTED })
      : success(request.files),
  ])
  if (!commits.ok) return commits
  if (!files.ok) return failure(files.failure)
  const work = { commits: commits.value, files: files.value }
  // A single commit touches exactly the files that differ.
  if (line?.length === 1 && work.files.length < LISTED) {
    return success({ ...work, committedCopies: excluded.filter((path) => isAmong(work.files, path)) })
  }
  const copies = await findCommittedCopies(needs, hub, { base, tip, paths: excluded })
  return copies.ok ? success({ ...work, committedCopies: copies.value }) : copies
}

/** Whether the path itself or anything below it is among the files. */
function isAmong(files: readonly string[], path: string): boolean {
  return files.some((file) => file === path || file.startsWith(`${path}/`))
}

/** The commits of a short history without merges, found without starting git. */
async function followParents(
  needs: HubGit,
  hub: string,
  { base, tip, own }: WorkRequest,
): Promise<readonly string[] | undefined> {
  const commits = own?.commit === tip ? [] : [tip]
  let at: CommitFacts | undefined = own
  while (at !== undefined && commits.length < MOST_STEPS) {
    if (at.commit === base) return commits
    const [parent, ...others]: readonly string[] = at.parents ?? []
    if (parent === undefined || others.length > 0) return undefined
    commits.unshift(at.commit)
    if (parent === base) return commits
    at = await askForCommit(needs, hub, parent)
  }
  return undefined
}

async function listCommits(
  git: Git,
  directory: string,
  base: string,
  tip: string,
): Promise<Result<readonly string[], GitFailure>> {
  const listed = await gitText(git, {
    directory,
    arguments: ['rev-list', '--topo-order', '--reverse', `--max-count=${LISTED}`, tip, `^${base}`],
  })
  return listed.ok ? success(listed.value.split('\n').filter((line) => line !== '')) : listed
}

type CopiesRequest = {
  readonly base: string
  readonly tip: string
  /** Paths that the base doesn't have. */
  readonly paths: readonly string[]
}

/**
 * The paths that any commit between `base` and `tip` touches. That includes paths that a later commit removes, because
 * a branch is published with all its commits.
 */
async function findCommittedCopies(
  needs: { readonly git: Git },
  hub: string,
  { base, tip, paths }: CopiesRequest,
): Promise<Result<readonly string[], GitFailure>> {
  if (base === tip || paths.length === 0) return success([])
  const any = await isTouched(needs.git, hub, { base, tip, paths })
  if (!any.ok) return any
  const found: string[] = []
  for (const path of any.value ? paths : []) {
    const touched = await isTouched(needs.git, hub, { base, tip, paths: [path] })
    if (!touched.ok) return touched
    if (touched.value) found.push(path)
  }
  return success(found)
}

async function isTouched(
  git: Git,
  hub: string,
  { base, tip, paths }: CopiesRequest,
): Promise<Result<boolean, GitFailure>> {
  const found = await gitText(git, {
    directory: hub,
    arguments: ['rev-list', '--full-history', '--max-count=1', tip, `^${base}`, '--', ...paths],
  })
  return found.ok ? success(found.value !== '') : found
}
