import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import {
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  readablePath,
  removalOf,
  writeIndexEntries,
} from '../commit/index-entries.ts'
import { gitFailed, gitText } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import { type Git, type GitCall, LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { DURABLE_SETTINGS } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import type { CheckoutRules } from '../source/checkout-rules.ts'
import { copyIndex } from '../tree/saved-index.ts'
import { savedIndexOf } from '../tree/tree-places.ts'
import { findSetupPaths } from './find-setup-paths.ts'
import { LISTED } from './find-work.ts'
import { compareIndexes, countEntries, type IndexChange, readIndex } from './index-file.ts'
import { watchMissingFiles } from './missing-files.ts'
import { addNestedFiles, repositoriesWithoutCommit } from './nested-files.ts'
import {
  hideNestedRepositories,
  type NestedSnapshot,
  planNestedRepositories,
  watchNestedRepositories,
} from './nested-repositories.ts'
import { readSetupFiles } from './setup-files.ts'
import { isBehindLink } from './tree-files.ts'
import { keepUnalteredFiles, watchSuspects } from './unaltered-files.ts'
import { restoreUntouchedFiles, watchSetupFiles } from './untouched-files.ts'

export type FilledIndex = {
  readonly place: IndexPlace
  /** The first ten thousand files that differ from `tip`. */
  readonly changed: readonly string[]
  readonly omissions: readonly string[]
  /** The failure says why the files that are missing were not deleted on purpose. */
  readonly whole: Result<void, string>
  /** Repositories in the tree that the commit doesn't have as such. Their files are added, unless it is a checkout. */
  readonly opened: readonly string[]
  /** Repositories that stay at their commit. */
  readonly submodules: readonly string[]
}

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
  /** Given for a person's checkout: their index, whose stat data tells what is unchanged, and their git's rules. */
  readonly checkout?: {
    readonly index: string
    readonly rules: Pick<CheckoutRules, 'settings' | 'exclude' | 'attributes'>
  }
}

const OMISSIONS_LIMIT = 20
const OMISSION_LENGTH = 400
const WARNING = /^(?:error|warning): (.{1,300})/
/** A git that waits for something must not keep others from their work for half an hour. */
const ADD_TIMEOUT_MS = 5 * 60_000
const ADD_FILE_TIMEOUT_MS = 10
/** Makes git take every file as it is. */
const NO_CONVERSION = '* -text -ident -filter -working-tree-encoding\n'

/**
 * Adds the files of an agent's tree to an index. Uses a git directory and an index of our own, so git reads nothing
 * from the agent's .git, and filters that files name are not configured. Changes are then found by comparing two
 * index files, without another process. The caller has made sure that git doesn't wait for a pipe: see `surveyTree`.
 */
export async function fillIndex(
  needs: { readonly git: Git },
  request: IndexRequest,
): Promise<Result<FilledIndex, GitFailure>> {
  const { git } = needs
  const place = await preparePlace(request)
  const nested = await startFromTip(git, place, request)
  if (!nested.ok) return nested
  const isTree = request.purpose === 'keep' && request.checkout === undefined
  const setup = isTree ? await readSetupFiles(request.directory) : undefined
  const format = objectFormatOf(request.tip)
  const ofSetup =
    setup === undefined
      ? []
      : await findSetupPaths(request.directory, setup, readIndex(place.tipFile, format))
  const added = await addFiles(git, place, request, ofSetup)
  if (!added.ok) return added

  const inTree = watchNestedRepositories(nested.value)
  const converted = watchSuspects()
  const bySetup = watchSetupFiles(setup)
  const changed = await compareWithTip(place, request, [inTree.take, converted.take, bySetup.take])
  const { isRaw, withoutCommit } = added.value
  const kept = await keepUnalteredFiles(git, place, { ...request, isRaw }, converted)
  if (!kept.ok) return kept
  const untouched = await restoreUntouchedFiles(git, place, setup, { ...request, ...bySetup })
  if (!untouched.ok) return untouched
  const settled = await settleNested(git, place, request, { nested: nested.value, withoutCommit, ...inTree })
  if (!settled.ok) return settled
  const isCorrected = kept.value + untouched.value > 0 || settled.value.isCorrected
  const missing = watchMissingFiles()
  return success({
    place,
    changed: isCorrected || changed.length > 0 ? await compareWithTip(place, request, [missing.take]) : [],
    omissions: limited([...added.value.omissions, ...settled.value.omissions]),
    whole: missing.judge(await countEntries(place.tipFile)),
    opened: settled.value.opened,
    submodules: settled.value.submodules,
  })
}

type SettledNested = Pick<FilledIndex, 'omissions' | 'opened' | 'submodules'> & {
  readonly isCorrected: boolean
}

async function settleNested(
  git: Git,
  place: IndexFilePlace,
  request: IndexRequest,
  found: Omit<NestedSnapshot, 'directory' | 'original'>,
): Promise<Result<SettledNested, GitFailure>> {
  const { nested, seen, withoutCommit } = found
  if (nested.length + seen.length + withoutCommit.length === 0) {
    return success({ isCorrected: false, omissions: [], opened: [], submodules: [] })
  }
  const original = await findOriginal(git, request, nested)
  if (!original.ok) return original
  const { directory } = request
  const plan = await planNestedRepositories({ ...found, directory, original: original.value })
  const written = await writeIndexEntries(git, place, [...plan.removed.map(removalOf), ...plan.kept])
  if (!written.ok) return written
  const isKept = request.purpose === 'keep' && request.checkout === undefined
  const added = isKept ? await addNestedFiles(git, place, request, plan.opened) : success(undefined)
  if (!added.ok) return added
  const { omissions, opened, kept } = plan
  return success({ isCorrected: true, omissions, opened, submodules: kept.map(({ path }) => path) })
}

/** The repositories that the tree had when it was opened. */
async function findOriginal(
  git: Git,
  { hub, base, tip }: IndexRequest,
  nested: readonly IndexEntry[],
): Promise<Result<ReadonlySet<string>, GitFailure>> {
  const original = new Set(base === tip ? nested.map(({ path }) => path) : [])
  if (base === tip || nested.length === 0) return success(original)
  const listed = await gitText(git, {
    directory: hub,
    arguments: ['ls-tree', '-r', '-z', '--end-of-options', base],
    onRecord: (record) => {
      const text = record.toString('latin1')
      if (text.startsWith(NESTED_REPOSITORY)) original.add(text.slice(text.indexOf('\t') + 1))
    },
  })
  return listed.ok ? success(original) : listed
}

type IndexFilePlace = IndexPlace & {
  readonly directory: string
  readonly indexFile: string
  /** The index of `tip`, to compare with. */
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
    timeoutMs: Math.min(LONG_TIMEOUT_MS, ADD_TIMEOUT_MS + request.count * ADD_FILE_TIMEOUT_MS),
  }
}

/** Fills the index from `tip` without its nested repositories, and returns those. */
async function startFromTip(
  git: Git,
  place: IndexFilePlace,
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
  { indexFile }: IndexFilePlace,
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
  place: IndexFilePlace,
  { tip }: IndexRequest,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  // Git replaces an index file instead of writing into it, so the hard link keeps the present contents.
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

type Added = {
  readonly isRaw: boolean
  /** Nested repositories that git can't add. */
  readonly withoutCommit: readonly string[]
  readonly omissions: readonly string[]
}

async function addFiles(
  git: Git,
  place: IndexFilePlace,
  request: IndexRequest,
  ofSetup: readonly string[],
): Promise<Result<Added, GitFailure>> {
  const call = await addCall(place, request, ofSetup)
  const added = await git(call)
  if (!added.ok) return added
  if (isAdded(added.value.code)) return success({ isRaw: false, ...readAdded(added.value.stderr) })

  // Git stops at a file that doesn't match its declared encoding, so try again without any conversion.
  await mkdir(join(place.directory, 'info'), { recursive: true })
  await writeFile(join(place.directory, 'info', 'attributes'), NO_CONVERSION)
  const addedRaw = await git(call)
  if (!addedRaw.ok) return addedRaw
  if (!isAdded(addedRaw.value.code)) return failure(gitFailed(addedRaw.value))
  const reason = 'files were collected without conversion, because one does not match its declared encoding'
  const { withoutCommit, omissions } = readAdded(addedRaw.value.stderr)
  return success({ isRaw: true, withoutCommit, omissions: [reason, ...omissions] })
}

async function addCall(
  place: IndexFilePlace,
  { directory, purpose, exclude = [] }: IndexRequest,
  ofSetup: readonly string[],
): Promise<GitCall> {
  const which = purpose === 'keep' ? '--all' : '--update'
  const options = [which, '--ignore-errors', '--no-warn-embedded-repo']
  const excluded: Buffer[] = []
  for (const path of [...exclude.map((given) => Buffer.from(given).toString('latin1')), ...ofSetup]) {
    // Git would stop at a path behind a link. It doesn't add anything there either.
    if (!(await isBehindLink(directory, path))) excluded.push(Buffer.from(path, 'latin1'))
  }
  if (excluded.length === 0) return { ...place, arguments: ['add', ...options] }
  const paths = excluded.map((path) => Buffer.concat([Buffer.from('\0:(top,exclude,literal)'), path]))
  return {
    ...place,
    arguments: ['add', ...options, '--pathspec-from-file=-', '--pathspec-file-nul'],
    environment: { ...place.environment, GIT_LITERAL_PATHSPECS: '0' },
    input: Buffer.concat([Buffer.from(':(top)'), ...paths]),
  }
}

/** With --ignore-errors, exit status 1 means that some files could not be added. */
function isAdded(code: number): boolean {
  return code === 0 || code === 1
}

function readAdded(stderr: string): Pick<Added, 'withoutCommit' | 'omissions'> {
  const { withoutCommit, rest } = repositoriesWithoutCommit(stderr)
  return { withoutCommit, omissions: rest.flatMap((line) => WARNING.exec(line)?.[1] ?? []) }
}

function limited(lines: readonly string[]): readonly string[] {
  const first = lines.slice(0, OMISSIONS_LIMIT).map((line) => line.slice(0, OMISSION_LENGTH))
  return lines.length <= OMISSIONS_LIMIT ? first : [...first, `and ${lines.length - OMISSIONS_LIMIT} more`]
}
