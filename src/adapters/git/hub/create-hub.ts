import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { isBranchName } from '../../../domain/job/branch-name.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../domain/result.ts'
import type { Branches } from '../../../ports/branches.ts'
import type { Commits } from '../../../ports/commits.ts'
import type { History } from '../../../ports/history.ts'
import type { HubCopies } from '../../../ports/hub-copies.ts'
import type { HubUpkeep } from '../../../ports/hub-upkeep.ts'
import type { Pins } from '../../../ports/pins.ts'
import type { WorkingTrees } from '../../../ports/working-trees.ts'
import type { StartProcess } from '../../shared/processes/start-process.ts'
import { checkHub } from './backup/check-hub.ts'
import { listHubs, packHub, readHubRefs } from './backup/copy-hub.ts'
import { restoreHub } from './backup/restore-hub.ts'
import { collectTree } from './collect/collect-tree.ts'
import { findAlteredFiles } from './collect/find-altered-files.ts'
import { snapshotTree } from './collect/snapshot-tree.ts'
import { askForCommit } from './commit/commit-facts.ts'
import { commitFiles } from './commit/commit-files.ts'
import { commitTree } from './commit/commit-tree.ts'
import { listCommittedFiles, readCommittedFile } from './history/committed-files.ts'
import { measureWork } from './history/measure-work.ts'
import { readDiff } from './history/read-diff.ts'
import { readOverview } from './history/read-overview.ts'
import { findMergeBase } from './merge/find-merge-base.ts'
import { mergeBatch } from './merge/merge-batch.ts'
import { readConflictedFiles } from './merge/read-conflicted-files.ts'
import { createGitCheck } from './process/check-git.ts'
import { createCompanions } from './process/companions.ts'
import { orDiskFull } from './process/disk-full.ts'
import { createGit } from './process/run-git.ts'
import { createSharedCalls } from './process/shared-calls.ts'
import { createTurns, type Turns } from './process/turns.ts'
import { compactHub, measureWaste } from './repository/compact-hub.ts'
import { findBranch, findRef, isAncestor } from './repository/find-ref.ts'
import { type HubNeeds, hubPath } from './repository/hub-repository.ts'
import { moveBranch } from './repository/move-branch.ts'
import { isObjectId } from './repository/object-id.ts'
import { deleteRefs, listPins, removePins } from './repository/pins.ts'
import { type PersonPlaces, settingsVariables } from './source/checkout-rules.ts'
import { findContained } from './source/contained-commits.ts'
import { deliverBranch } from './source/deliver-branch.ts'
import { findTakenBranch } from './source/find-taken-branch.ts'
import { importBase } from './source/import-base.ts'
import { inspectSource, reopenSource } from './source/inspect-source.ts'
import { findRemovable, findTipIn, removeBranch } from './source/remove-branch.ts'
import { snapshotCheckout } from './source/snapshot-checkout.ts'
import { fillWarmPool } from './tree/fill-warm-pool.ts'
import { openTree } from './tree/open-tree.ts'
import { removeTree } from './tree/remove-tree.ts'

export type HubOptions = {
  readonly hubsDirectory: string
  /** The only configuration that Muster's git reads. Written if absent or different. */
  readonly gitConfigFile: string
  /** Where warm trees are kept, on the same disk as the working trees. Without it, there are no warm trees. */
  readonly warmDirectory?: string
  /** How git processes are started. By default, this process starts them itself. */
  readonly startProcess?: StartProcess
  /** Where the settings of the person's own git are. By default, those of the daemon's user. */
  readonly person?: PersonPlaces
}

/** One bare repository per project, and the working trees made from it. Disposing ends its companions. */
export type Hub = Disposable & {
  readonly trees: WorkingTrees
  readonly branches: Branches
  readonly history: History
  readonly commits: Commits
  readonly pins: Pins
  readonly copies: HubCopies
  readonly upkeep: HubUpkeep
}

export function createHub(options: HubOptions): Hub {
  const gitConfigFile = resolve(options.gitConfigFile)
  const { startProcess } = options
  const needs: HubNeeds = {
    git: createGit({ gitConfigFile, startProcess }),
    companions: createCompanions({ gitConfigFile, startProcess }),
    hubsDirectory: resolve(options.hubsDirectory),
    warmDirectory: options.warmDirectory === undefined ? undefined : resolve(options.warmDirectory),
    person: options.person ?? ownPlaces(),
  }
  const imports = createTurns()
  return {
    trees: createTrees(needs),
    branches: createBranches(needs, imports),
    history: createHistory(needs),
    commits: createCommits(needs),
    pins: createPins(needs),
    copies: createCopies(needs),
    upkeep: createUpkeep(needs, imports),
    [Symbol.dispose]: () => needs.companions[Symbol.dispose](),
  }
}

function ownPlaces(): PersonPlaces {
  const home = homedir()
  return {
    home,
    // Git takes an empty variable for an absent one.
    configHome: env['XDG_CONFIG_HOME'] || join(home, '.config'),
    systemFile: env['GIT_CONFIG_SYSTEM'],
    globalFile: env['GIT_CONFIG_GLOBAL'],
    variables: settingsVariables(env),
  }
}

function createTrees(needs: HubNeeds): WorkingTrees {
  const { hubsDirectory, warmDirectory = hubsDirectory } = needs
  const inTurn = createTurns()
  const snapshots = createSharedCalls<Result<string, GitFailure>>()

  return {
    open: (request) =>
      inTurn(`tree ${resolve(request.directory)}`, () =>
        orDiskFull(request.directory, () =>
          openTree(needs, { ...request, directory: resolve(request.directory) }),
        ),
      ),
    warm: (request) =>
      inTurn(`warm ${request.project}`, () => orDiskFull(warmDirectory, () => fillWarmPool(needs, request))),
    collect: (request) =>
      inTurn(`tree ${resolve(request.directory)}`, () =>
        orDiskFull(hubsDirectory, () =>
          collectTree(needs, { ...request, directory: resolve(request.directory) }),
        ),
      ),
    // Whoever asks while a snapshot is made gets the same one, so that work that has ended doesn't wait for several.
    snapshot: (request) =>
      snapshots(resolve(request.directory), () =>
        inTurn(`tree ${resolve(request.directory)}`, () =>
          orDiskFull(hubsDirectory, () =>
            snapshotTree(needs, { ...request, directory: resolve(request.directory) }),
          ),
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

function createBranches(needs: HubNeeds, inTurn: Turns): Branches {
  const { companions, hubsDirectory } = needs
  const checkGit = createGitCheck(needs.git)

  return {
    inspectSource: (path) =>
      orDiskFull(hubsDirectory, async () => {
        const checked = await checkGit()
        return checked.ok ? await inspectSource(needs, resolve(path)) : checked
      }),
    reopenSource: (path) =>
      orDiskFull(hubsDirectory, async () => {
        const checked = await checkGit()
        return checked.ok ? await reopenSource(needs, resolve(path)) : checked
      }),
    importBase: (project, source, base) =>
      inTurn(project, () =>
        orDiskFull(hubsDirectory, async () => {
          const imported = await importBase(needs, project, source, base)
          // A fetch may change where a shallow history begins, which running companions have already read.
          companions.close(hubPath(needs, project))
          return imported
        }),
      ),
    snapshot: (project, request) =>
      inTurn(project, () => orDiskFull(hubsDirectory, () => snapshotCheckout(needs, project, request))),
    findTaken: (project, source, branch) =>
      findTakenBranch(needs, hubPath(needs, project), source.path, branch),
    objectsPath: (project) => join(hubPath(needs, project), 'objects'),
    tip: async (project, branch) =>
      isBranchName(branch) ? await findBranch(needs, hubPath(needs, project), branch) : undefined,
    move: (project, branch, to, from) => moveBranch(needs, hubPath(needs, project), { branch, to, from }),
    deliver: (project, source, branch, commit, expected) =>
      orDiskFull(source, () =>
        deliverBranch(needs, hubPath(needs, project), { source: resolve(source), branch, commit, expected }),
      ),
    dropSnapshot: (project, commit) =>
      deleteRefs(needs, hubPath(needs, project), isObjectId(commit) ? [`refs/muster/base/${commit}`] : []),
    drop: async (project, branch) =>
      await deleteRefs(needs, hubPath(needs, project), isBranchName(branch) ? [`refs/heads/${branch}`] : []),
    tipIn: (source, branch) => findTipIn(needs, source, branch),
    findContained: (source, commits, except) => findContained(needs, { source, commits, except }),
    findRemovable: (source, branch, delivered) => findRemovable(needs, { source, branch, delivered }),
    removeFrom: (source, branch, at) => removeBranch(needs, { source, branch, at }),
  }
}

function createPins(needs: HubNeeds): Pins {
  return {
    list: (project) => listPins(needs, hubPath(needs, project)),
    remove: (project, ids) => removePins(needs, hubPath(needs, project), ids),
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
    measure: (project, from, to) => measureWork(needs, hubPath(needs, project), { from, to }),
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
    commitTree: (project, request) =>
      orDiskFull(hubsDirectory, () => commitTree(needs, hubPath(needs, project), request)),
    commitFiles: (project, parent, files, message) =>
      orDiskFull(hubsDirectory, () =>
        commitFiles(needs, hubPath(needs, project), { parent, files, message }),
      ),
  }
}

/** Nothing is imported while a hub is compacted: git may skip the fetch of objects that are about to go. */
function createUpkeep(needs: HubNeeds, inTurn: Turns): HubUpkeep {
  return {
    measure: (project, needed) => measureWaste(needs, hubPath(needs, project), needed),
    compact: (project, needed, isIdle) =>
      inTurn(project, () =>
        orDiskFull(needs.hubsDirectory, async (): Promise<Result<number | undefined, GitFailure>> => {
          if (!(await isIdle())) return success(undefined)
          const hub = hubPath(needs, project)
          const compacted = await compactHub(needs, hub, needed)
          // Running companions have opened packs that are gone.
          needs.companions.close(hub)
          return compacted
        }),
      ),
  }
}

function createCopies(needs: HubNeeds): HubCopies {
  return {
    list: () => listHubs(needs),
    refs: (project) => readHubRefs(needs, hubPath(needs, project)),
    pack: (project, directory) =>
      orDiskFull(directory, () => packHub(needs, hubPath(needs, project), directory)),
    restore: (project, copy) =>
      orDiskFull(needs.hubsDirectory, () => restoreHub(needs, hubPath(needs, project), copy)),
    check: (project) => checkHub(needs, hubPath(needs, project)),
  }
}
