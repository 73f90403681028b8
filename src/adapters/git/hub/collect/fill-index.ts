import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { type IndexEntry, type IndexPlace, readablePath } from '../commit/index-entries.ts'
import { gitFailed, gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/path-length.ts'
import { type Git, type GitCall, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { systemErrorCode } from '../process/system-error.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { DURABLE_SETTINGS } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { copyIndex } from '../tree/saved-index.ts'
import { savedIndexOf } from '../tree/tree-places.ts'
import { LISTED } from './find-work.ts'
import { compareIndexes, type IndexChange, readIndex } from './index-file.ts'
import {
  hideNestedRepositories,
  restoreNestedRepositories,
  watchNestedRepositories,
} from './nested-repositories.ts'
import { keepUnalteredFiles, watchSuspects } from './unaltered-files.ts'

export type FilledIndex = {
  readonly place: IndexPlace
  /** Files that are not what they are in `tip`: the first ten thousand. */
  readonly changed: readonly string[]
  readonly omissions: readonly string[]
}

export type IndexRequest = {
  readonly hub: string
  readonly scratch: string
  readonly directory: string
  /** The commit that the tree was opened at. */
  readonly base: string
  /** The commit whose files those of the tree are compared with. */
  readonly tip: string
  /** Left as they are in `tip`, whatever they are in the tree. */
  readonly exclude?: readonly string[]
  /** To keep them, all files go to the hub. To look, only those that `tip` has, and nothing is written there. */
  readonly purpose: 'keep' | 'look'
}

const OMISSIONS_LIMIT = 20
const OMISSION_LENGTH = 400
/** Takes every file as the bytes it has. */
const NO_CONVERSION = '* -text -ident -filter -working-tree-encoding\n'

/**
 * Puts the files of an agent's tree into an index, with a git directory and an index of ours: of the agent's .git
 * nothing is read, and filters that files ask for by name exist nowhere. What has changed is read from the two index
 * files, which costs no process.
 */
export async function fillIndex(
  needs: { readonly git: Git },
  request: IndexRequest,
): Promise<Result<FilledIndex, GitFailure>> {
  const place = await preparePlace(request)
  const nested = await startFromTip(needs.git, place, request)
  if (!nested.ok) return nested
  const added = await addFiles(needs.git, place, request)
  if (!added.ok) return added

  const { isRaw } = added.value
  const inTree = watchNestedRepositories(nested.value)
  const converted = watchSuspects()
  const changed = await compareWithTip(place, request, [inTree.take, converted.take])
  const kept = await keepUnalteredFiles(needs.git, place, { ...request, isRaw }, converted)
  if (!kept.ok) return kept
  const restored = await restoreNestedRepositories(needs.git, place, request.directory, nested.value, inTree)
  if (!restored.ok) return restored
  const isCorrected = kept.value > 0 || nested.value.length > 0 || inTree.seen.length > 0
  return success({
    place,
    changed: isCorrected ? await compareWithTip(place, request, []) : changed,
    omissions: limited([...added.value.omissions, ...restored.value]),
  })
}

type IndexFilePlace = IndexPlace & {
  readonly directory: string
  readonly indexFile: string
  /** The index as it is in `tip`, to compare with. */
  readonly tipFile: string
}

async function preparePlace(request: IndexRequest): Promise<IndexFilePlace> {
  const directory = join(request.scratch, 'snapshot')
  const indexFile = join(request.scratch, 'index')
  const objects = join(request.hub, 'objects')
  const isKept = request.purpose === 'keep'
  await writeGitDirectory({
    path: directory,
    objectFormat: objectFormatOf(request.tip),
    ...(isKept ? { settings: DURABLE_SETTINGS } : { alternates: [objects] }),
  })
  return {
    directory,
    indexFile,
    tipFile: join(request.scratch, 'index.tip'),
    workTree: request.directory,
    settings: ['core.bare=false'],
    environment: { GIT_INDEX_FILE: indexFile, ...(isKept ? { GIT_OBJECT_DIRECTORY: objects } : {}) },
    timeoutMs: LONG_TIMEOUT_MS,
  }
}

/** Makes the index that of `tip`, takes the nested repositories out of it, and returns them. */
async function startFromTip(
  git: Git,
  place: IndexFilePlace,
  request: IndexRequest,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  // Only a shortcut: the index of the base knows what the files were like when the tree was opened, so that the
  // unchanged ones are not read again. Without it, or if it is damaged, the same work takes longer.
  if (await hasSavedIndex(place, request)) {
    const read = request.tip === request.base ? success('') : await readTip(git, place, request)
    const nested = read.ok ? await hideNested(git, place, request).catch(() => undefined) : undefined
    if (nested?.ok === true) return nested
    await rm(place.indexFile, { force: true })
  }
  const read = await readTip(git, place, request)
  return read.ok ? await hideNested(git, place, request) : read
}

async function hasSavedIndex(
  { indexFile }: IndexFilePlace,
  { directory, base }: IndexRequest,
): Promise<boolean> {
  try {
    await copyIndex(savedIndexOf(directory, base), indexFile)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw error
  }
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
  place: IndexFilePlace,
  { tip }: IndexRequest,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  // Git replaces an index file and never writes into it: the second name keeps what is in it now.
  await rm(place.tipFile, { force: true })
  await link(place.indexFile, place.tipFile)
  return await hideNestedRepositories(git, place, readIndex(place.tipFile, objectFormatOf(tip)))
}

async function compareWithTip(
  { indexFile, tipFile }: IndexFilePlace,
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

type Added = { readonly isRaw: boolean; readonly omissions: readonly string[] }

async function addFiles(
  git: Git,
  place: IndexFilePlace,
  request: IndexRequest,
): Promise<Result<Added, GitFailure>> {
  const call = addCall(place, request)
  const added = await git(call)
  if (!added.ok) return added
  if (isAdded(added.value.code)) {
    return success({ isRaw: false, omissions: complaints(added.value.stderr) })
  }

  // A file that does not follow its own declared encoding stops git: then nothing is converted.
  await mkdir(join(place.directory, 'info'), { recursive: true })
  await writeFile(join(place.directory, 'info', 'attributes'), NO_CONVERSION)
  const addedRaw = await git(call)
  if (!addedRaw.ok) return addedRaw
  if (!isAdded(addedRaw.value.code)) return failure(gitFailed(addedRaw.value))
  const reason = 'files were taken as they are, because their declared encoding does not fit'
  return success({ isRaw: true, omissions: [reason, ...complaints(addedRaw.value.stderr)] })
}

function addCall(place: IndexFilePlace, { purpose, exclude = [] }: IndexRequest): GitCall {
  const which = purpose === 'keep' ? '--all' : '--update'
  const options = [which, '--ignore-errors', '--no-warn-embedded-repo']
  if (exclude.length === 0) return { ...place, arguments: ['add', ...options] }
  const paths = [':(top)', ...exclude.map((path) => `:(top,exclude,literal)${path}`)]
  return {
    ...place,
    arguments: ['add', ...options, '--pathspec-from-file=-', '--pathspec-file-nul'],
    environment: { ...place.environment, GIT_LITERAL_PATHSPECS: '0' },
    input: paths.join('\0'),
  }
}

/** With --ignore-errors, 1 means that single files could not be added. */
function isAdded(code: number): boolean {
  return code === 0 || code === 1
}

function complaints(stderr: string): readonly string[] {
  return stderr.split('\n').flatMap((line) => /^(?:error|warning): (.{1,300})/.exec(line)?.[1] ?? [])
}

function limited(lines: readonly string[]): readonly string[] {
  const first = lines.slice(0, OMISSIONS_LIMIT).map((line) => line.slice(0, OMISSION_LENGTH))
  return lines.length <= OMISSIONS_LIMIT ? first : [...first, `and ${lines.length - OMISSIONS_LIMIT} more`]
}
