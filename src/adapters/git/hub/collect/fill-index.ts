import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { IndexPlace } from '../commit/index-entries.ts'
import { gitFailed, gitText } from '../process/git-answer.ts'
import { type Git, type GitCall, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { ignoreCodes } from '../process/system-error.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { DURABLE_SETTINGS } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { copyIndex } from '../tree/saved-index.ts'
import { savedIndexOf } from '../tree/tree-places.ts'
import { hideNestedRepositories, restoreNestedRepositories } from './nested-repositories.ts'
import { keepUnalteredFiles } from './unaltered-files.ts'

export type FilledIndex = { readonly place: IndexPlace; readonly omissions: readonly string[] }

export type IndexRequest = {
  readonly hub: string
  readonly scratch: string
  readonly directory: string
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
 * The files of an agent's tree in an index. Done with a git directory and an index of ours: of the agent's .git
 * nothing is read, and filters that files ask for by name exist nowhere.
 */
export async function fillIndex(
  needs: { readonly git: Git },
  request: IndexRequest,
): Promise<Result<FilledIndex, GitFailure>> {
  const place = await preparePlace(request)
  const read = await readTip(needs.git, place, request)
  if (!read.ok) return read
  const nested = await hideNestedRepositories(needs.git, place)
  if (!nested.ok) return nested
  const added = await addFiles(needs.git, place, request)
  if (!added.ok) return added
  const { isRaw, omissions } = added.value
  const kept = await keepUnalteredFiles(needs.git, place, { ...request, isRaw })
  if (!kept.ok) return kept
  const restored = await restoreNestedRepositories(needs.git, place, request.directory, nested.value)
  if (!restored.ok) return restored
  return success({ place, omissions: limited([...omissions, ...restored.value]) })
}

type IndexFilePlace = IndexPlace & { readonly directory: string; readonly indexFile: string }

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
  // What files were like when the tree was opened saves reading the unchanged ones again.
  await copyIndex(savedIndexOf(request.directory), indexFile).catch(ignoreCodes('ENOENT'))
  return {
    directory,
    indexFile,
    workTree: request.directory,
    settings: ['core.bare=false'],
    environment: { GIT_INDEX_FILE: indexFile, ...(isKept ? { GIT_OBJECT_DIRECTORY: objects } : {}) },
    timeoutMs: LONG_TIMEOUT_MS,
  }
}

async function readTip(
  git: Git,
  place: IndexFilePlace,
  request: IndexRequest,
): Promise<Result<void, GitFailure>> {
  const call = { ...place, arguments: ['read-tree', '--reset', '--end-of-options', request.tip] } as const
  const read = await gitText(git, call)
  if (read.ok) return success(undefined)
  // The saved index is only a shortcut: without it the same work takes longer.
  await rm(place.indexFile, { force: true })
  const readAnew = await gitText(git, call)
  return readAnew.ok ? success(undefined) : readAnew
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
