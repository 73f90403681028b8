import { link, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { type IndexEntry, type IndexPlace, readablePath } from '../commit/index-entries.ts'
import { gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import { type Git, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { DURABLE_SETTINGS } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import type { CheckoutRules } from '../source/checkout-rules.ts'
import { copyIndex } from '../tree/saved-index.ts'
import { savedIndexOf } from '../tree/tree-places.ts'
import { LISTED } from './find-work.ts'
import { compareIndexes, type IndexChange, readIndex } from './index-file.ts'
import { hideNestedRepositories } from './nested-repositories.ts'

/** Which tree to compare with which commit, and how. */
export type IndexRequest = {
  readonly hub: string
  readonly scratch: string
  readonly directory: string
  /** The commit that the tree was opened at. */
  readonly base: string
  /** The commit that the files of the tree are compared with. */
  readonly tip: string
  /** Paths whose changes in the tree are ignored. */
  readonly exclude?: readonly string[]
  /** How many files and folders the tree has, which decides how long git may take. */
  readonly count: number
  /** `keep` stores all files in the hub. `look` compares only files that `tip` has and stores nothing there. */
  readonly purpose: 'keep' | 'look'
  /** An agent works in the tree, so nothing in it is changed, and git gets little time. */
  readonly isInUse?: true
  /** Given for a person's checkout: their index, whose stat data tells what is unchanged, and their git's rules. */
  readonly checkout?: {
    readonly index: string
    readonly rules: Pick<CheckoutRules, 'settings' | 'exclude' | 'attributes'>
  }
}

/** A git that waits for something must not keep others from their work for half an hour. */
const ADD_TIMEOUT_MS = 5 * 60_000
const ADD_FILE_TIMEOUT_MS = 10
/** A person waits for this, and so does the agent's work if it ends meanwhile. */
const IN_USE_TIMEOUT_MS = 15_000

/** An index in a git directory of our own, both in the scratch folder. */
export type ScratchIndex = IndexPlace & {
  readonly directory: string
  readonly indexFile: string
  /** The index of `tip`, to compare with. */
  readonly tipFile: string
}

export async function prepareScratchIndex(request: IndexRequest): Promise<ScratchIndex> {
  const directory = join(request.scratch, 'snapshot')
  const indexFile = join(request.scratch, 'index')
  const objects = join(request.hub, 'objects')
  const isKept = request.purpose === 'keep'
  await writeGitDirectory({
    path: directory,
    objectFormat: objectFormatOf(request.tip),
    ...(isKept ? { settings: DURABLE_SETTINGS } : { alternates: [objects] }),
  })
  const rules = request.checkout?.rules
  for (const name of ['exclude', 'attributes'] as const) {
    const text = rules?.[name]
    if (text !== undefined) await writeFile(join(directory, 'info', name), text)
  }
  return {
    directory,
    indexFile,
    tipFile: join(request.scratch, 'index.tip'),
    workTree: request.directory,
    settings: ['core.bare=false', ...(rules?.settings ?? [])],
    environment: {
      GIT_INDEX_FILE: indexFile,
      ...(isKept ? { GIT_OBJECT_DIRECTORY: objects } : {}),
      ...(rules === undefined ? {} : { GIT_ATTR_NOSYSTEM: '0' }),
    },
    timeoutMs:
      request.isInUse === true
        ? IN_USE_TIMEOUT_MS
        : Math.min(LONG_TIMEOUT_MS, ADD_TIMEOUT_MS + request.count * ADD_FILE_TIMEOUT_MS),
  }
}

/** Fills the index from `tip` without its nested repositories, and returns those. */
export async function startFromTip(
  git: Git,
  place: ScratchIndex,
  request: IndexRequest,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  // A shortcut: the saved index of the base has the stat data from when the tree was opened, so git doesn't read
  // unchanged files again. Without it, or if it is damaged, the same work takes longer.
  if (await hasSavedIndex(place, request)) {
    const isExact = request.tip === request.base && request.checkout === undefined
    const read = isExact ? success('') : await readTip(git, place, request)
    const nested = read.ok ? await hideNested(git, place, request).catch(() => undefined) : undefined
    if (nested?.ok === true) return nested
    await rm(place.indexFile, { force: true })
  }
  const read = await readTip(git, place, request)
  return read.ok ? await hideNested(git, place, request) : read
}

async function hasSavedIndex(
  { indexFile }: ScratchIndex,
  { directory, base, checkout }: IndexRequest,
): Promise<boolean> {
  const saved = checkout?.index ?? savedIndexOf(directory, base)
  return (await copyIndex(saved, indexFile).then(() => true, ignoreCodes('ENOENT'))) ?? false
}

async function readTip(
  git: Git,
  place: IndexPlace,
  { tip }: IndexRequest,
): Promise<Result<string, GitFailure>> {
  return await gitText(git, { ...place, arguments: ['read-tree', '--reset', '--end-of-options', tip] })
}

async function hideNested(
  git: Git,
  place: ScratchIndex,
  { tip }: IndexRequest,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  // Git replaces an index file instead of writing into it, so the hard link keeps the present contents.
  await rm(place.tipFile, { force: true })
  await link(place.indexFile, place.tipFile)
  return await hideNestedRepositories(git, place, readIndex(place.tipFile, objectFormatOf(tip)))
}

/** Returns the first ten thousand files that differ from `tip`. */
export async function compareWithTip(
  { indexFile, tipFile }: ScratchIndex,
  { tip }: IndexRequest,
  watches: readonly ((change: IndexChange) => void)[],
): Promise<readonly string[]> {
  const format = objectFormatOf(tip)
  const changed: string[] = []
  await compareIndexes(readIndex(tipFile, format), readIndex(indexFile, format), (change) => {
    for (const take of watches) take(change)
    if (changed.length < LISTED) changed.push(readablePath(change.path.slice(0, LISTED_PATH_BYTES)))
  })
  return changed
}
