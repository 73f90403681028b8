import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { PathTaken } from '../../../../ports/commits.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { isObjectId } from '../repository/object-id.ts'
import { openScratch } from '../repository/scratch.ts'
import { findCommitFacts } from './commit-facts.ts'
import {
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  removalOf,
  writeIndexEntries,
} from './index-entries.ts'
import { makeCommit } from './make-commit.ts'

/** A file that is executable in the parent stays executable. */
const EXECUTABLE = '100755'
const FOLDER = '040000'
const PLAIN = '100644'
/** Git silently drops such paths. */
const OUTSIDE = /^$|\0|(?:^|\/)(?:\.|\.\.|\.git)?(?:\/|$)/i

export type FilesRequest = {
  readonly parent: string
  /** Null removes a file. */
  readonly files: Readonly<Record<string, string | null>>
  readonly message: string
}

/** Commits files. The same request always makes the same commit. Returns the parent if nothing would change. */
export async function commitFiles(
  needs: HubGit,
  hub: string,
  { parent, files, message }: FilesRequest,
): Promise<Result<string, PathTaken | GitFailure>> {
  const outside = Object.keys(files).find((path) => OUTSIDE.test(path))
  if (outside !== undefined) return refuse(`${outside} is not a path inside a repository`)
  if (!isObjectId(parent)) return refuse(`${parent} is not a commit`)

  const [facts, tree] = await Promise.all([
    findCommitFacts(needs, hub, parent),
    treeWith(needs, hub, parent, files),
  ])
  if (!facts.ok) return facts
  if (facts.value === undefined) return refuse(`the hub has no commit ${parent}`)
  if (!tree.ok) return tree
  if (tree.value === facts.value.tree) return success(parent)
  const time = facts.value.time + 1
  return await makeCommit(needs, hub, { tree: tree.value, parents: [parent], message, time })
}

async function treeWith(
  needs: { readonly git: Git },
  hub: string,
  parent: string,
  files: FilesRequest['files'],
): Promise<Result<string, PathTaken | GitFailure>> {
  await using scratch = await openScratch(hub)
  const place: IndexPlace = {
    directory: hub,
    environment: { GIT_INDEX_FILE: join(scratch.path, 'index') },
  }
  const [read, present, stored] = await Promise.all([
    gitText(needs.git, { ...place, arguments: ['read-tree', '--end-of-options', parent] }),
    findPresent(needs.git, hub, parent, Object.keys(files)),
    storeFiles(needs.git, hub, files),
  ])
  if (!read.ok) return read
  if (!present.ok) return present
  const taken = Object.keys(files).find((path) => isTaken(present.value, path))
  if (taken !== undefined) return failure({ type: 'path-taken', path: taken })
  if (!stored.ok) return stored
  const entries: readonly IndexEntry[] = stored.value.map(({ path, id }) => ({
    mode: present.value.get(path) === EXECUTABLE ? EXECUTABLE : PLAIN,
    id,
    path: Buffer.from(path).toString('latin1'),
  }))
  const removed = Object.keys(files)
    .filter((path) => files[path] === null && present.value.has(path))
    .map((path) => removalOf({ mode: PLAIN, id: parent, path: Buffer.from(path).toString('latin1') }))
  const written = await writeIndexEntries(needs.git, place, [...entries, ...removed])
  if (!written.ok) return written
  return await gitText(needs.git, { ...place, arguments: ['write-tree'] })
}

async function storeFiles(
  git: Git,
  directory: string,
  files: FilesRequest['files'],
): Promise<Result<readonly { readonly path: string; readonly id: string }[], GitFailure>> {
  const stored: { readonly path: string; readonly id: string }[] = []
  for (const [path, input] of Object.entries(files)) {
    if (input === null) continue
    const options = ['-w', '--no-filters', '--stdin']
    const id = await gitText(git, { directory, arguments: ['hash-object', ...options], input })
    if (!id.ok) return id
    stored.push({ path, id: id.value })
  }
  return success(stored)
}

/** The modes of what the commit has at these paths and above them. */
async function findPresent(
  git: Git,
  directory: string,
  commit: string,
  paths: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, GitFailure>> {
  const found = new Map<string, string>()
  if (paths.length === 0) return success(found)
  const asked = new Set(paths.flatMap((path) => [...foldersOf(path), path]))
  const listed = await gitText(git, {
    directory,
    arguments: ['ls-tree', '-z', '-t', '--end-of-options', commit, ...asked],
    onRecord: (record) => {
      const text = record.toString('utf8')
      found.set(text.slice(text.indexOf('\t') + 1), text.slice(0, text.indexOf(' ')))
    },
  })
  return listed.ok ? success(found) : listed
}

/** Whether git would have to delete a folder or a file to make room for this one. */
function isTaken(present: ReadonlyMap<string, string>, path: string): boolean {
  const mode = present.get(path)
  if (mode === FOLDER || mode === NESTED_REPOSITORY) return true
  return foldersOf(path).some((folder) => (present.get(folder) ?? FOLDER) !== FOLDER)
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

function refuse(problem: string): Result<never, GitFailure> {
  return failure({ type: 'git-failed', command: 'git commit-tree', problem })
}
