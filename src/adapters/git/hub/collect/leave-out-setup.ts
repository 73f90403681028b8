import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import {
  type IndexEntry,
  type IndexPlace,
  NESTED_REPOSITORY,
  removalOf,
  writeIndexEntries,
} from '../commit/index-entries.ts'
import type { Git } from '../process/run-git.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { type CommittedChange, listCommittedChanges } from './committed-changes.ts'
import { foldersAbove } from './folders-above.ts'
import { type IndexChange, readIndex } from './index-file.ts'
import type { SetupFiles } from './read-setup-list.ts'
import { isInnerFolder } from './tree-files.ts'

const MOST_CHANGES = 100_000

/** Changes that setup may have made: those of files that were there when it ended, and of files that were not. */
export type SetupChanges = {
  readonly take: (change: IndexChange) => void
  readonly changes: readonly IndexChange[]
}

export function watchSetupFiles(setup: SetupFiles | undefined): SetupChanges {
  const changes: IndexChange[] = []
  return {
    changes,
    take: (change) => {
      if (setup === undefined || changes.length === MOST_CHANGES) return
      if (setup.has(change.path) === (change.after !== undefined)) changes.push(change)
    },
  }
}

/**
 * Which files of a setup never land: dependency folders (`domain/repository/dependency-folders.ts`) and what setup made
 * (`find-setup-paths.ts`) are hidden from git beforehand, and this takes back the rest.
 *
 * Takes back the changes of files that are still as setup left them: a new file is removed from the index, a changed or
 * deleted one gets its committed entry. That includes changes that the agent has committed with its own, because
 * `git add --all` takes them too. A file that setup made is ignored by the agent's git, so committing it is a decision,
 * unless git didn't ignore it: it is in the place of a folder of tracked files, or a rule of the repository includes it.
 * Returns the paths whose entries it has removed or put back.
 */
export async function restoreUntouchedFiles(
  git: Git,
  place: IndexPlace & { readonly indexFile: string },
  setup: SetupFiles | undefined,
  request: RestoreRequest,
): Promise<Result<ReadonlySet<string>, GitFailure>> {
  if (setup === undefined) return success(new Set())
  const committed = await listCommittedChanges(git, request.hub, request)
  if (!committed.ok) return committed
  const plan: RestorePlan = { removed: [], changed: [], returned: [] }
  const changes = await withoutHidden(request, committed.value)
  const uncommitted = new Set(changes.map(({ path }) => path))
  const onlyCommitted = [...committed.value.values()].filter(({ path }) => !uncommitted.has(path))
  await planCommitted(plan, setup, onlyCommitted, request)
  for (const change of changes) await planUncommitted(plan, setup, change, committed.value)
  const index = readIndex(place.indexFile, objectFormatOf(request.tip))
  const returned = plan.returned.length === 0 ? [] : await withFreePlace(plan, index)
  // Git adds nothing in the place of an entry that it has yet to remove.
  const entries = [...plan.removed, ...plan.changed, ...returned]
  const written = await writeIndexEntries(git, place, entries)
  return written.ok ? success(new Set(entries.map(({ path }) => path))) : written
}

/** Nested repositories are hidden from the index, which does not mean that they are gone. */
async function withoutHidden(
  { directory, changes }: Pick<RestoreRequest, 'directory' | 'changes'>,
  committed: Committed,
): Promise<readonly IndexChange[]> {
  const visible: IndexChange[] = []
  for (const change of changes) {
    const isNested = change.before?.mode === NESTED_REPOSITORY && change.after === undefined
    const isHidden = isNested && (committed.has(change.path) || (await isInnerFolder(directory, change.path)))
    if (!isHidden) visible.push(change)
  }
  return visible
}

type RestoreRequest = Pick<SetupChanges, 'changes'> &
  Readonly<Record<'hub' | 'directory' | 'base' | 'tip', string>> & {
    /** Files and folders in which everything is as setup left it. */
    readonly ofSetup: readonly string[]
  }

type Committed = ReadonlyMap<string, CommittedChange>

type RestorePlan = {
  readonly removed: IndexEntry[]
  readonly changed: IndexEntry[]
  /** Files that setup deleted or replaced. They come back unless the agent has put something in their place. */
  readonly returned: IndexEntry[]
}

async function planUncommitted(
  plan: RestorePlan,
  setup: SetupFiles,
  change: IndexChange,
  committed: Committed,
): Promise<void> {
  const { path, before, after } = change
  const original = committed.has(path) ? committed.get(path)?.original : before
  if (after !== undefined) {
    if (await isLeftBySetup(setup, path, original)) planUntouched(plan, setup, { ...change, after }, original)
    return
  }
  // Without an original, the agent has made, committed and deleted a file.
  if (before !== undefined && original !== undefined && (await setup.isGone(path))) plan.returned.push(before)
}

function planUntouched(
  plan: RestorePlan,
  setup: SetupFiles,
  { path, before, after }: IndexChange & { readonly after: IndexEntry },
  original: IndexEntry | undefined,
): void {
  if (before === undefined) plan.removed.push(removalOf(after))
  else if (original !== undefined) plan.changed.push(original)
  // The agent has committed a file of setup. If git ignored it, that was a decision.
  else if (setup.isShown(path)) plan.removed.push(removalOf(after))
}

/** Whether a file is as setup left it, and not as the commit has it. Only then is its change one of setup. */
async function isLeftBySetup(
  setup: SetupFiles,
  path: string,
  original: IndexEntry | undefined,
): Promise<boolean> {
  return (original === undefined || setup.isChanged(path)) && (await setup.isUntouched(path))
}

/** Plans for what the agent has committed exactly as setup left it. */
async function planCommitted(
  plan: RestorePlan,
  setup: SetupFiles,
  changes: readonly CommittedChange[],
  { ofSetup, tip }: Pick<RestoreRequest, 'ofSetup' | 'tip'>,
): Promise<void> {
  const removed = new Set<string>()
  const isOfSetup = async ({ path, left, original }: CommittedChange) => {
    if (left === 'repository') return ofSetup.includes(path)
    if (left === 'file') return await isLeftBySetup(setup, path, original)
    return foldersAbove(path).some((folder) => removed.has(folder)) || (await setup.isGone(path))
  }
  for (const change of withoutIgnored(changes, setup)) if (await isOfSetup(change)) removed.add(change.path)
  plan.removed.push(...[...removed].map((path) => removalOf({ mode: '', id: tip, path })))
  for (const change of changes) {
    const { original, left } = change
    if (original === undefined || !(await isOfSetup(change))) continue
    if (left === 'nothing') plan.returned.push(original)
    else plan.changed.push(original)
  }
}

/** What commits have added that the agent's git didn't ignore: in the place of a folder, or because of its own rules. */
function withoutIgnored(
  changes: readonly CommittedChange[],
  { isShown }: Pick<SetupFiles, 'isShown'>,
): readonly CommittedChange[] {
  const emptied = new Set(changes.flatMap(({ path, left }) => (left === 'nothing' ? foldersAbove(path) : [])))
  const added = changes.filter(({ original }) => original === undefined)
  return added.filter(({ path }) => emptied.has(path) || isShown(path))
}

/** The returned files without those in whose place, or in the place of a folder above them, the agent has a file. */
async function withFreePlace(
  { removed, returned }: RestorePlan,
  index: AsyncGenerator<readonly IndexEntry[], void>,
): Promise<readonly IndexEntry[]> {
  const leaving = new Set(removed.map(({ path }) => path))
  const places = new Set(returned.map(({ path }) => path))
  const folders = new Set(returned.flatMap(({ path }) => foldersAbove(path)))
  const taken = new Set<string>()
  for await (const batch of index) {
    for (const { path } of batch.filter((entry) => !leaving.has(entry.path))) {
      if (folders.has(path)) taken.add(path)
      for (const folder of foldersAbove(path).filter((above) => places.has(above))) taken.add(folder)
    }
  }
  return returned.filter(({ path }) => ![...foldersAbove(path), path].some((place) => taken.has(place)))
}
