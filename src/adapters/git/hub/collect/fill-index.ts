import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import {
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  removalOf,
  writeIndexEntries,
} from '../commit/index-entries.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { addFiles } from './add-files.ts'
import { findSetupPaths } from './find-setup-paths.ts'
import { countEntries, readIndex } from './index-file.ts'
import { restoreUntouchedFiles, watchSetupFiles } from './leave-out-setup.ts'
import { watchMissingFiles } from './missing-files.ts'
import { addNestedFiles } from './nested-files.ts'
import {
  type NestedSnapshot,
  planNestedRepositories,
  watchNestedRepositories,
} from './nested-repositories.ts'
import { readSetupFiles } from './read-setup-list.ts'
import {
  compareWithTip,
  type IndexRequest,
  prepareScratchIndex,
  type ScratchIndex,
  startFromTip,
} from './scratch-index.ts'
import { keepUnalteredFiles, watchSuspects } from './unaltered-files.ts'

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

const OMISSIONS_LIMIT = 20
const OMISSION_LENGTH = 400

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
  const place = await prepareScratchIndex(request)
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
  const untouched = await restoreUntouchedFiles(git, place, setup, { ...request, ...bySetup, ofSetup })
  if (!untouched.ok) return untouched
  const left = nested.value.filter(({ path }) => !untouched.value.has(path))
  const settled = await settleNested(git, place, request, { nested: left, withoutCommit, ...inTree })
  if (!settled.ok) return settled
  const isCorrected = kept.value + untouched.value.size > 0 || settled.value.isCorrected
  const missing = watchMissingFiles(untouched.value)
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
  place: ScratchIndex,
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
  const isKept = request.purpose === 'keep' && request.checkout === undefined && request.isInUse !== true
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

function limited(lines: readonly string[]): readonly string[] {
  const first = lines.slice(0, OMISSIONS_LIMIT).map((line) => line.slice(0, OMISSION_LENGTH))
  return lines.length <= OMISSIONS_LIMIT ? first : [...first, `and ${lines.length - OMISSIONS_LIMIT} more`]
}
