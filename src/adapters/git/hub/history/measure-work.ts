import type { WorkSize } from '../../../../domain/landing/unusual-work.ts'
import { hasTerminalEscapes } from '../../../../domain/plain-text.ts'
import { generatedFolderOf } from '../../../../domain/repository/dependency-folders.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import type { Git } from '../process/run-git.ts'
import { countCommittedFiles } from './committed-files.ts'
import { type RawChange, readRawChanges } from './read-raw-changes.ts'

const MOST_LISTED = 10_000
/** Counting goes on to here, far beyond what can be work. */
const MOST_COUNTED = 1_000_000
const COUNTS = /^(\d+|-)\t(\d+|-)\t/
const FILE_MODE = /^100/
const MESSAGE_BYTES = 64 * 1024

type Counted = {
  files: number
  added: number
  removed: number
  deletedFiles: number
  readonly createdPaths: string[]
  readonly changedPaths: string[]
  /** The new content of files. */
  readonly blobs: string[]
}

/** Counts everything that differs between two commits. Lists stop at ten thousand; counts don't. */
export async function measureWork(
  needs: { readonly git: Git },
  hub: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Result<WorkSize, GitFailure>> {
  const counted = await countChanges(needs.git, hub, from, to)
  if (!counted.ok) return counted
  const { blobs, ...work } = counted.value
  const [bytes, baseFiles, baseGenerated, hasEscapes] = await Promise.all([
    sumSizes(needs.git, hub, blobs),
    work.deletedFiles === 0 ? success(0) : countCommittedFiles(needs, hub, from, MOST_COUNTED),
    work.createdPaths.some(isGenerated) ? findGenerated(needs.git, hub, from) : success([]),
    findEscapes(needs.git, hub, from, to),
  ])
  if (!bytes.ok) return bytes
  if (!baseFiles.ok) return baseFiles
  if (!baseGenerated.ok) return baseGenerated
  if (!hasEscapes.ok) return hasEscapes
  return success({
    ...work,
    bytes: bytes.value,
    baseFiles: baseFiles.value,
    baseGenerated: baseGenerated.value,
    hasEscapes: hasEscapes.value,
  })
}

async function countChanges(
  git: Git,
  hub: string,
  from: string,
  to: string,
): Promise<Result<Counted, GitFailure>> {
  const counted: Counted = {
    files: 0,
    added: 0,
    removed: 0,
    deletedFiles: 0,
    createdPaths: [],
    changedPaths: [],
    blobs: [],
  }
  const read = await readRawChanges(git, hub, {
    from,
    to,
    take: (change) => {
      takeChange(counted, change)
      return counted.files > MOST_COUNTED ? 'enough' : undefined
    },
    more: {
      options: ['--numstat', '--no-ext-diff', '--no-textconv'],
      take: (record) => takeLines(counted, record.toString('latin1')),
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return read.ok ? success(counted) : read
}

function takeLines(counted: Counted, text: string): void {
  const [, added = '-', removed = '-'] = COUNTS.exec(text) ?? []
  counted.added += added === '-' ? 0 : Number(added)
  counted.removed += removed === '-' ? 0 : Number(removed)
}

function takeChange(counted: Counted, { path: bytes, before, after }: RawChange): void {
  const path = bytes.toString('utf8')
  counted.files += 1
  if (after === undefined) counted.deletedFiles += 1
  else if (FILE_MODE.test(after.mode) && counted.blobs.length < MOST_COUNTED) counted.blobs.push(after.id)
  if (before === undefined && counted.createdPaths.length < MOST_LISTED) counted.createdPaths.push(path)
  if (counted.changedPaths.length < MOST_LISTED) counted.changedPaths.push(path)
}

/** Whether a commit that only `to` has would make a terminal that prints it do something. */
async function findEscapes(
  git: Git,
  hub: string,
  from: string,
  to: string,
): Promise<Result<boolean, GitFailure>> {
  let isFound = false
  const read = await gitText(git, {
    directory: hub,
    arguments: ['log', '-z', '--format=%an%n%ae%n%cn%n%ce%n%B', '--end-of-options', to, `^${from}`],
    onRecord: (record) => {
      isFound ||= hasTerminalEscapes(record.toString('utf8'))
      return isFound ? 'enough' : undefined
    },
    cutRecordsAt: MESSAGE_BYTES,
  })
  return read.ok ? success(isFound) : read
}

async function sumSizes(
  git: Git,
  hub: string,
  blobs: readonly string[],
): Promise<Result<number, GitFailure>> {
  let bytes = 0
  if (blobs.length === 0) return success(bytes)
  const read = await gitText(git, {
    directory: hub,
    arguments: ['cat-file', '--batch-check=%(objectsize)', '--buffer'],
    input: `${blobs.join('\n')}\n`,
  })
  if (!read.ok) return read
  for (const line of read.value.split('\n')) bytes += Number(line) || 0
  return success(bytes)
}

function isGenerated(path: string): boolean {
  return generatedFolderOf(path) !== undefined
}

/** The folders of built or copied files that a commit has. */
async function findGenerated(
  git: Git,
  hub: string,
  commit: string,
): Promise<Result<readonly string[], GitFailure>> {
  const found = new Set<string>()
  const listed = await gitText(git, {
    directory: hub,
    arguments: ['ls-tree', '-r', '-d', '-z', '--name-only', '--end-of-options', commit],
    onRecord: (record) => {
      const folder = generatedFolderOf(`${record.toString('utf8')}/`)
      if (folder !== undefined) found.add(folder)
      return found.size === MOST_LISTED ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  return listed.ok ? success([...found]) : listed
}
