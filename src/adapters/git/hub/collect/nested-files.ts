import { randomUUID } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import {
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  writeIndexEntries,
} from '../commit/index-entries.ts'
import { gitFailed } from '../process/git-answer.ts'
import type { Git, GitCall } from '../process/run-git.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { addReadable } from './add-readable.ts'
import { readIndex } from './index-file.ts'
import { pathIn } from './tree-files.ts'

const MOST_REPOSITORIES = 100
const NO_COMMIT = /^error: '(.+)\/' does not have a commit checked out$/
const LIMIT = `more than ${MOST_REPOSITORIES} nested repositories`

export type NestedFilesRequest = {
  readonly scratch: string
  readonly directory: string
  /** A commit, for the object format. */
  readonly tip: string
}

type Refused = { readonly withoutCommit: readonly string[]; readonly rest: readonly string[] }

/** The folders that git refused to add because each is a repository without a commit, and the lines about the rest. */
export function repositoriesWithoutCommit(stderr: string): Refused {
  const withoutCommit: string[] = []
  const rest: string[] = []
  for (const line of stderr.split('\n')) {
    const path = NO_COMMIT.exec(line)?.[1]
    if (path === undefined) rest.push(line)
    else withoutCommit.push(Buffer.from(path).toString('latin1'))
  }
  return { withoutCommit, rest }
}

/**
 * Adds the files of nested repositories to the index as plain files, because a repository inside a tree is lost with
 * the tree. Git runs with our own git directory and with the nested folder as its working tree, so it never reads the
 * nested repository itself.
 */
export async function addNestedFiles(
  git: Git,
  place: IndexPlace,
  request: NestedFilesRequest,
  repositories: readonly string[],
): Promise<Result<void, GitFailure>> {
  const waiting = [...repositories]
  let count = 0
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    count += 1
    if (count > MOST_REPOSITORIES) {
      return failure({ type: 'git-failed', command: 'git add', problem: LIMIT, isPermanent: true })
    }
    const listed = await listFiles(git, place, request, path)
    if (!listed.ok) return listed
    const { files, nested } = listed.value
    waiting.push(...nested)
    const written = await writeIndexEntries(git, place, files)
    if (!written.ok) return written
  }
  return success(undefined)
}

type Listed = { readonly files: readonly IndexEntry[]; readonly nested: readonly string[] }

async function listFiles(
  git: Git,
  place: IndexPlace,
  { scratch, directory, tip }: NestedFilesRequest,
  path: string,
): Promise<Result<Listed, GitFailure>> {
  const workTree = pathIn(directory, path).toString('utf8')
  // A working tree is given by name, and a name that is not text can't be given.
  if (!Buffer.from(workTree).equals(pathIn(directory, path))) {
    const problem = 'a nested repository has a name that is not text'
    return failure({ type: 'git-failed', command: 'git add', problem, isPermanent: true })
  }
  const indexFile = join(scratch, `nested.${randomUUID()}`)
  const environment = { ...place.environment, GIT_INDEX_FILE: indexFile }
  const options = ['--all', '--ignore-errors', '--no-warn-embedded-repo'] as const
  const call: GitCall = { ...place, workTree, environment, arguments: ['add', ...options] }
  const added = await addReadable(git, call, { root: workTree, indexFile })
  if (!added.ok) return added
  if (added.value.code > 1) return failure(gitFailed(added.value))
  const nested = [...repositoriesWithoutCommit(added.value.stderr).withoutCommit]
  const files: IndexEntry[] = []
  // Git writes no index if the folder has no files.
  const isEmpty = (await lstat(indexFile).catch(ignoreCodes('ENOENT'))) === undefined
  const batches = isEmpty ? [] : readIndex(indexFile, objectFormatOf(tip))
  for await (const batch of batches) {
    for (const entry of batch) {
      if (entry.mode === NESTED_REPOSITORY) nested.push(entry.path)
      else files.push({ ...entry, path: `${path}/${entry.path}` })
    }
  }
  return success({ files, nested: nested.map((inner) => `${path}/${inner}`) })
}
