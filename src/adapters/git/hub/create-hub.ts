import { resolve } from 'node:path'
import { isBranchName } from '../../../domain/job/branch-name.ts'
import type { Branches } from '../../../ports/branches.ts'
import type { Commits } from '../../../ports/commits.ts'
import type { History } from '../../../ports/history.ts'
import type { WorkingTrees } from '../../../ports/working-trees.ts'
import { collectTree } from './collect/collect-tree.ts'
import { findAlteredFiles } from './collect/find-altered-files.ts'
import { askForCommit } from './commit/commit-facts.ts'
import { commitFiles } from './commit/commit-files.ts'
import { listCommittedFiles } from './history/list-committed-files.ts'
import { readCommittedFile } from './history/read-committed-file.ts'
import { readDiff } from './history/read-diff.ts'
import { readOverview } from './history/read-overview.ts'
import { findMergeBase } from './merge/find-merge-base.ts'
import { mergeBatch } from './merge/merge-batch.ts'
import { readConflictedFiles } from './merge/read-conflicted-files.ts'
import { createCompanions } from './process/companions.ts'
import { orDiskFull } from './process/disk-full.ts'
import { createGit } from './process/run-git.ts'
import { createTurns } from './process/turns.ts'
import { findBranch, findRef, isAncestor } from './repository/find-ref.ts'
import { type HubNeeds, hubPath } from './repository/hub-repository.ts'
import { moveBranch } from './repository/move-branch.ts'
import { isObjectId } from './repository/object-id.ts'
import { deliverBranch } from './source/deliver-branch.ts'
import { importBase } from './source/import-base.ts'
import { inspectSource } from './source/inspect-source.ts'
import { openTree } from './tree/open-tree.ts'
import { removeTree } from './tree/remove-tree.ts'
import { warmTrees } from './tree/warm-trees.ts'

export type HubOptions = {
  readonly hubsDirectory: string
  /** Muster's own git configuration, the only one its git reads. Written when absent or different. */
  readonly gitConfigFile: string
  /** Where unused trees are kept ready, on the disk where trees are opened. Without it every tree is made anew. */
  readonly warmDirectory?: string
}

/** One bare repository per project and the trees made from it. Disposing ends the git processes that it keeps running. */
export type Hub = Disposable & {
  readonly trees: WorkingTrees
  readonly branches: Branches
  readonly history: History
  readonly commits: Commits
}

export function createHub(options: HubOptions): Hub {
  const gitConfigFile = resolve(options.gitConfigFile)
  const needs: HubNeeds = {
    git: createGit({ gitConfigFile }),
    companions: createCompanions({ gitConfigFile }),
    hubsDirectory: resolve(options.hubsDirectory),
    warmDirectory: options.warmDirectory === undefined ? undefined : resolve(options.warmDirectory),
  }
  return {
    trees: createTrees(needs),
    branches: createBranches(needs),
    history: createHistory(needs),
    commits: createCommits(needs),
    [Symbol.dispose]: () => needs.companions[Symbol.dispose](),
  }
}

function createTrees(needs: HubNeeds): WorkingTrees {
  const { hubsDirectory, warmDirectory = hubsDirectory } = needs
  const inTurn = createTurns()

  return {
    open: (request) =>
      inTurn(`tree ${resolve(request.directory)}`, () =>
        orDiskFull(request.directory, () =>
          openTree(needs, { ...request, directory: resolve(request.directory) }),
        ),
      ),
    warm: (request) =>
      inTurn(`warm ${request.project}`, () => orDiskFull(warmDirectory, () => warmTrees(needs, request))),
    collect: (request) =>
      inTurn(`tree ${resolve(request.directory)}`, () =>
        orDiskFull(hubsDirectory, () =>
          collectTree(needs, { ...request, directory: resolve(request.directory) }),
        ),
      ),
    alteredFiles: (project, directory, commit) =>
      inTurn(`tree ${resolve(directory)}`, () =>
        orDiskFull(hubsDirectory, () =>
          findAlteredFiles(needs, hubPath(needs, project), resolve(directory), commit),
        ),
      ),
    remove: (directory, isUnused) =>
      inTurn(`tree ${resolve(directory)}`, async () => {
        if (isUnused === undefined || (await isUnused())) await removeTree(resolve(directory))
      }),
  }
}

function createBranches(needs: HubNeeds): Branches {
  const { companions, hubsDirectory } = needs
  const inTurn = createTurns()

  return {
    inspectSource: (path) => orDiskFull(hubsDirectory, () => inspectSource(needs, resolve(path))),
    importBase: (project, source, base) =>
      inTurn(`import ${project}`, () =>
        orDiskFull(hubsDirectory, async () => {
          const imported = await importBase(needs, project, source, base)
          // Where the history of a shallow source begins may have changed, and a running git has read that.
          companions.close(hubPath(needs, project))
          return imported
        }),
      ),
    tip: async (project, branch) =>
      isBranchName(branch) ? await findBranch(needs, hubPath(needs, project), branch) : undefined,
    move: (project, branch, to, from) => moveBranch(needs, hubPath(needs, project), { branch, to, from }),
    deliver: (project, source, branch, commit, expected) =>
      orDiskFull(source, () =>
        deliverBranch(needs, hubPath(needs, project), { source: resolve(source), branch, commit, expected }),
      ),
  }
}

function createHistory(needs: HubNeeds): History {
  return {
    treeOf: async (project, commit) => {
      if (!isObjectId(commit)) return undefined
      const hub = hubPath(needs, project)
      return (await askForCommit(needs, hub, commit))?.tree ?? (await findRef(needs, hub, `${commit}^{tree}`))
    },
    isAncestor: (project, ancestor, descendant) =>
      isAncestor(needs, hubPath(needs, project), ancestor, descendant),
    mergeBase: (project, one, other) => findMergeBase(needs, hubPath(needs, project), one, other),
    diff: (project, from, to, maxPatchBytes) =>
      readDiff(needs, hubPath(needs, project), { from, to, maxPatchBytes }),
    readFile: (project, commit, path) => readCommittedFile(needs, hubPath(needs, project), commit, path),
    listFiles: (project, commit, directory) =>
      listCommittedFiles(needs, hubPath(needs, project), commit, directory),
    overview: (project, commit, base) => readOverview(needs, hubPath(needs, project), commit, base),
  }
}

function createCommits(needs: HubNeeds): Commits {
  const { hubsDirectory } = needs
  return {
    mergeBatch: (project, request) =>
      orDiskFull(hubsDirectory, () => mergeBatch(needs, hubPath(needs, project), request)),
    conflictedFiles: (project, onto, tip) => readConflictedFiles(needs, hubPath(needs, project), onto, tip),
    commitFiles: (project, parent, files, message) =>
      orDiskFull(hubsDirectory, () =>
        commitFiles(needs, hubPath(needs, project), { parent, files, message }),
      ),
  }
}
