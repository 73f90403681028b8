import { lstat } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { SnapshotRequest } from '../../../../ports/working-trees.ts'
import { findCommitFacts } from '../commit/commit-facts.ts'
import { makeCommit } from '../commit/make-commit.ts'
import { gitFailed, gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { type HubNeeds, hubPath } from '../repository/hub-repository.ts'
import { openScratch } from '../repository/scratch.ts'
import { fillIndex } from './fill-index.ts'
import { type IndexRequest, prepareScratchIndex, startFromTip } from './scratch-index.ts'
import { describeSpecial, surveyTree } from './special-files.ts'
import { pathIn } from './tree-files.ts'

const MOST_FILES = 300_000
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Makes a commit of the files of a tree in which an agent works. Nothing refers to it, so compaction removes it. Nothing
 * in the tree is changed: whatever can't be read as it is, isn't.
 */
export async function snapshotTree(
  needs: HubNeeds,
  { project, directory, base, exclude }: SnapshotRequest,
): Promise<Result<string, GitFailure>> {
  const seen = await lstat(directory).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (!seen?.isDirectory()) return refused('there is no working tree')
  const { special, count } = await surveyTree(directory)
  const found = describeSpecial(special)
  if (found !== undefined) return refused(`there is ${found}`)
  if (count > MOST_FILES) return refused(`it has more than ${MOST_FILES} files`)
  const hub = hubPath(needs, project)
  const facts = await findCommitFacts(needs, hub, base)
  if (!facts.ok) return facts
  if (facts.value === undefined) return refused(`the hub has no commit ${base}`)
  await using scratch = await openScratch(hub)
  await using measured = await openScratch(hub)
  const request = {
    hub,
    scratch: scratch.path,
    directory,
    base,
    tip: base,
    count,
    purpose: 'keep',
    isInUse: true,
    ...(exclude === undefined ? {} : { exclude }),
  } as const
  const bytes = await changedBytes(needs.git, { ...request, scratch: measured.path })
  if (!bytes.ok) return bytes
  if (bytes.value > MOST_BYTES) return refused('its new and changed files have more than 256 MB')
  const filled = await fillIndex(needs, request)
  if (!filled.ok) return filled
  const tree = await gitText(needs.git, { ...filled.value.place, arguments: ['write-tree'] })
  if (!tree.ok) return tree
  const { time } = facts.value
  return await makeCommit(needs, hub, {
    tree: tree.value,
    parents: [base],
    message: 'Work in progress',
    time,
  })
}

/** The size of the files that git would read and store. */
async function changedBytes(git: Git, request: IndexRequest): Promise<Result<number, GitFailure>> {
  const place = await prepareScratchIndex(request)
  const started = await startFromTip(git, place, request)
  if (!started.ok) return started
  const listed = await git({
    ...place,
    arguments: ['ls-files', '-z', '--others', '--modified', '--exclude-standard'],
  })
  if (!listed.ok) return listed
  if (listed.value.code !== 0) return failure(gitFailed(listed.value))
  let bytes = 0
  for (const path of listed.value.stdout.toString('latin1').split('\0').filter(Boolean)) {
    if (bytes > MOST_BYTES) break
    const seen = await lstat(pathIn(request.directory, path)).catch(() => undefined)
    bytes += seen?.isFile() ? seen.size : 0
  }
  return success(bytes)
}

function refused(problem: string): Result<never, GitFailure> {
  return failure({ type: 'git-failed', command: 'git add', problem })
}
