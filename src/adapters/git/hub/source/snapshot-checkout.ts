import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '../../../../domain/id.ts'
import type { SnapshotFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { Snapshot, SnapshotRequest } from '../../../../ports/branches.ts'
import { type FilledIndex, fillIndex } from '../collect/fill-index.ts'
import { LISTED } from '../collect/find-work.ts'
import { describeSpecial, surveyTree } from '../collect/special-files.ts'
import { findCommitFacts } from '../commit/commit-facts.ts'
import { type IndexPlace, readablePath } from '../commit/index-entries.ts'
import { makeCommit } from '../commit/make-commit.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { setHubRefs } from '../repository/change-refs.ts'
import { type HubNeeds, hubPath } from '../repository/hub-repository.ts'
import { openScratch } from '../repository/scratch.ts'
import { copyPath } from '../tree/copy-path.ts'
import { personFiles, readCheckoutRules } from './checkout-rules.ts'
import { type FoundRepository, findRepository } from './find-repository.ts'
import { findSettingsPipe, pipeWords } from './find-settings-pipe.ts'
import { inspectSource } from './inspect-source.ts'

/** What git keeps in its directory while a merge or a rebase isn't finished. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']
const MESSAGE = 'Snapshot of uncommitted changes\n\nMade by Muster as the start of a job.\n'

/**
 * Commits the files of a checkout as they are, on top of `head`, in the hub. Git works with a git directory and an index
 * of our own, so nothing is written to the person's repository, and no hook, filter or program of it runs. Undefined if
 * nothing differs from `head`.
 */
export async function snapshotCheckout(
  needs: HubNeeds,
  project: ProjectId,
  { source, head, exclude }: SnapshotRequest,
): Promise<Result<Snapshot | undefined, SnapshotFailure>> {
  const found = await findRepository(source.path)
  if (!found.ok) return found
  const unusable = (problem: string) =>
    failure({ type: 'uncommitted-unusable' as const, path: source.path, problem })
  const obstacle = await findObstacle(needs, found.value)
  if (obstacle !== undefined) return unusable(obstacle)
  const rules = await readCheckoutRules(needs, found.value, needs.person)
  if (!rules.ok) return rules
  if (rules.value.isSparse) return unusable('the checkout is sparse')

  const { special, count } = await surveyTree(found.value.root)
  const unreadable = describeSpecial(special)
  if (unreadable !== undefined) return unusable(`there is ${unreadable}`)

  const hub = hubPath(needs, project)
  await using scratch = await openScratch(hub)
  const index = { count, hub, scratch: scratch.path, directory: found.value.root, base: head, tip: head }
  const checkout = { index: join(found.value.gitDirectory, 'index'), rules: rules.value }
  const excluded = exclude.flatMap((path) => copyPath(path) ?? [])
  const filled = await fillIndex(needs, { ...index, exclude: excluded, purpose: 'keep', checkout })
  if (!filled.ok) return filled
  // Files of another branch would look like changes.
  const now = await inspectSource(needs, source.path)
  if (!now.ok) return now
  if (now.value.head.commit !== source.head.commit)
    return unusable('another commit was checked out meanwhile')
  const problem = problemOf(filled.value) ?? (await findFiltered(needs.git, filled.value))
  if (problem !== undefined) return unusable(problem)
  if (filled.value.changed.length === 0) return success(undefined)
  const commit = await commitSnapshot(needs, hub, filled.value.place, head)
  if (!commit.ok) return commit
  const submodules = await checkedOut(found.value.root, filled.value.submodules)
  return success({ commit: commit.value, head, files: filled.value.changed, submodules })
}

async function findObstacle(
  { git, person }: Pick<HubNeeds, 'git' | 'person'>,
  found: FoundRepository,
): Promise<string | undefined> {
  if (found.isBare) return 'a bare repository has no checkout'
  if (await isUnfinished(found)) return 'a merge or a rebase is in progress'
  const pipe = await findSettingsPipe(git, personFiles(person), person.home)
  return pipe === undefined ? undefined : pipeWords(pipe)
}

/** A submodule that isn't checked out has no changes. */
async function checkedOut(root: string, submodules: readonly string[]): Promise<readonly string[]> {
  const present: string[] = []
  for (const path of submodules.map(readablePath)) {
    const inner = await lstat(join(root, path, '.git')).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
    if (inner !== undefined) present.push(path)
  }
  return present
}

async function isUnfinished({ gitDirectory }: FoundRepository): Promise<boolean> {
  const seen = await Promise.all(
    UNFINISHED.map((name) => lstat(join(gitDirectory, name)).catch(ignoreCodes('ENOENT', 'ENOTDIR'))),
  )
  return seen.some((one) => one !== undefined)
}

/** Why the files would not be the person's work as it is. Nothing is left out silently. */
function problemOf({ opened, omissions, whole, changed }: FilledIndex): string | undefined {
  const [nested] = opened
  if (nested !== undefined) return `${readablePath(nested)} is a repository of its own; commit or ignore it`
  const [omission] = omissions
  if (omission !== undefined) return omission
  if (!whole.ok) return whole.failure
  return changed.length >= LISTED ? `more than ${LISTED} files are not committed` : undefined
}

/** A filter, such as that of git-lfs, changes what git stores. Muster doesn't run it, so it can't store the same. */
async function findFiltered(git: Git, { place, changed }: FilledIndex): Promise<string | undefined> {
  if (changed.length === 0) return undefined
  const asked = await gitText(git, {
    ...place,
    arguments: ['check-attr', '-z', '--stdin', 'filter'],
    input: changed.map((path) => `${path}\0`).join(''),
  })
  if (!asked.ok) return `git could not read its attributes`
  const fields = asked.value.split('\0')
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path, , value] = fields.slice(at, at + 3)
    if (value !== undefined && !['unspecified', 'unset', ''].includes(value))
      return `${path} has the git filter ${value}, which Muster doesn't run; commit it`
  }
  return undefined
}

/** The same files make the same commit, so a second call after a crash finds the first one's. */
async function commitSnapshot(
  needs: HubNeeds,
  hub: string,
  place: IndexPlace,
  head: string,
): Promise<Result<string, SnapshotFailure>> {
  const tree = await gitText(needs.git, { ...place, arguments: ['write-tree'] })
  if (!tree.ok) return tree
  const facts = await findCommitFacts(needs, hub, head)
  if (!facts.ok) return facts
  const made = { tree: tree.value, parents: [head], message: MESSAGE, time: facts.value?.time ?? 0 }
  const commit = await makeCommit(needs, hub, made)
  if (!commit.ok) return commit
  const kept = await setHubRefs(needs, hub, [
    { type: 'set', ref: `refs/muster/base/${commit.value}`, to: commit.value },
  ])
  return kept.ok ? commit : kept
}
