import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { Collected } from '../../../../ports/working-trees.ts'
import { askForCommit, type CommitFacts } from '../commit/commit-facts.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/path-length.ts'
import type { Git } from '../process/run-git.ts'
import { findCommittedCopies } from './find-committed-copies.ts'

/** Of commits, and of files, no more than this are listed. */
export const LISTED = 10_000
const MOST_STEPS = 20

export type WorkRequest = {
  readonly base: string
  readonly tip: string
  /** The agent's own last commit, which `tip` is or is made on top of; absent when it is not known. */
  readonly own?: CommitFacts
  /** Paths that the base does not have and that must not be published. */
  readonly excluded: readonly string[]
  /** The files that differ, if they are known already. */
  readonly files?: readonly string[]
}

/** The commits that `tip` has and `base` has not, oldest first, and the files that differ. */
export async function findWork(
  needs: HubGit,
  hub: string,
  request: WorkRequest,
): Promise<Result<Pick<Collected, 'commits' | 'files' | 'committedCopies'>, GitFailure>> {
  const { base, tip, excluded } = request
  if (base === tip) return success({ commits: [], files: [], committedCopies: [] })

  const line = await followParents(needs, hub, request)
  const [commits, files] = await Promise.all([
    line === undefined ? listCommits(needs.git, hub, base, tip) : success(line),
    request.files === undefined ? listChangedFiles(needs.git, hub, base, tip) : success(request.files),
  ])
  if (!commits.ok) return commits
  if (!files.ok) return failure(files.failure)
  const work = { commits: commits.value, files: files.value }
  // The one commit has touched what differs, and nothing else.
  if (line?.length === 1 && work.files.length < LISTED) {
    return success({ ...work, committedCopies: excluded.filter((path) => isAmong(work.files, path)) })
  }
  const copies = await findCommittedCopies(needs, hub, { base, tip, paths: excluded })
  return copies.ok ? success({ ...work, committedCopies: copies.value }) : copies
}

/** The path itself or anything below it. */
function isAmong(files: readonly string[], path: string): boolean {
  return files.some((file) => file === path || file.startsWith(`${path}/`))
}

/** The commits of a short history without merges, which can be followed without starting git. */
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

async function listChangedFiles(
  git: Git,
  directory: string,
  from: string,
  to: string,
): Promise<Result<readonly string[], GitFailure>> {
  const files: string[] = []
  const compared = await gitText(git, {
    directory,
    arguments: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', from, to],
    onRecord: (record) => {
      files.push(record.toString('utf8'))
      return files.length === LISTED ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return compared.ok ? success(files) : compared
}
