import { resolve } from 'node:path'
import { isBranchName } from '../../../domain/job/branch-name.ts'
import type { Hub } from '../../../ports/hub.ts'
import { collectTree } from './collect-tree.ts'
import { commitFiles } from './commit-files.ts'
import { deliverBranch } from './deliver-branch.ts'
import { orDiskFull } from './disk-full.ts'
import { findAlteredFiles } from './find-altered-files.ts'
import { findBranch, findRef, isAncestor } from './find-ref.ts'
import { type HubNeeds, hubPath } from './hub-repository.ts'
import { importBase } from './import-base.ts'
import { inspectSource } from './inspect-source.ts'
import { listCommittedFiles } from './list-committed-files.ts'
import { mergeCommits } from './merge-commits.ts'
import { moveBranch } from './move-branch.ts'
import { isObjectId } from './object-id.ts'
import { openTree } from './open-tree.ts'
import { readCommittedFile } from './read-committed-file.ts'
import { readOverview } from './read-overview.ts'
import { removeTree } from './remove-tree.ts'
import { createGit } from './run-git.ts'
import { createTurns } from './turns.ts'

export type HubOptions = {
  readonly hubsDirectory: string
  /** Muster's own git configuration, the only one its git reads. Written when absent or different. */
  readonly gitConfigFile: string
}

export function createHub(options: HubOptions): Hub {
  const hubsDirectory = resolve(options.hubsDirectory)
  const git = createGit({ gitConfigFile: resolve(options.gitConfigFile) })
  const needs: HubNeeds = { git, hubsDirectory }
  const inTurn = createTurns()

  return {
    inspect: (path) => orDiskFull(hubsDirectory, () => inspectSource(needs, resolve(path))),
    importBase: (project, source, base) =>
      inTurn(`import ${project}`, () =>
        orDiskFull(hubsDirectory, () => importBase(needs, project, source, base)),
      ),
    branchTip: async (project, branch) =>
      isBranchName(branch) ? await findBranch(needs, hubPath(needs, project), branch) : undefined,
    treeOf: async (project, commit) =>
      isObjectId(commit) ? await findRef(needs, hubPath(needs, project), `${commit}^{tree}`) : undefined,
    isAncestor: (project, ancestor, descendant) =>
      isAncestor(needs, hubPath(needs, project), ancestor, descendant),
    moveBranch: (project, branch, to, from) =>
      moveBranch(needs, hubPath(needs, project), { branch, to, from }),
    openTree: (request) =>
      inTurn(`tree ${resolve(request.directory)}`, () =>
        orDiskFull(request.directory, () =>
          openTree(needs, { ...request, directory: resolve(request.directory) }),
        ),
      ),
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
    removeTree: (directory, isUnused) =>
      inTurn(`tree ${resolve(directory)}`, async () => {
        if (isUnused === undefined || (await isUnused())) await removeTree(resolve(directory))
      }),
    merge: (project, onto, tip, message) =>
      mergeCommits(needs, hubPath(needs, project), { onto, tip, message }),
    commitFiles: (project, parent, files, message) =>
      orDiskFull(hubsDirectory, () =>
        commitFiles(needs, hubPath(needs, project), { parent, files, message }),
      ),
    readFile: (project, commit, path) => readCommittedFile(needs, hubPath(needs, project), commit, path),
    listFiles: (project, commit, directory) =>
      listCommittedFiles(needs, hubPath(needs, project), commit, directory),
    overview: (project, commit) => readOverview(needs, hubPath(needs, project), commit),
    deliver: (project, source, branch) =>
      orDiskFull(source, () => deliverBranch(needs, hubPath(needs, project), resolve(source), branch)),
  }
}
