import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBranchName } from '../../../../domain/job/branch-name.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { TreeRequest } from '../../../../ports/working-trees.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { isObjectId } from '../repository/object-id.ts'
import { copyIntoTree } from './copy-into-tree.ts'
import { fillTree } from './fill-tree.ts'
import { removeAll, removeLeftovers } from './remove-tree.ts'
import { copyIndex } from './saved-index.ts'
import { takeWarmTree } from './take-warm-tree.ts'
import { buildingPlaceOf, savedIndexOf } from './tree-places.ts'

/** Opens a private clone that borrows the hub's objects. The clone gets its name only when it is complete. */
export async function openTree(needs: HubNeeds, request: TreeRequest): Promise<Result<void, GitFailure>> {
  const { directory, commit, branch } = request
  if (!isObjectId(commit) || !isBranchName(branch)) {
    const problem = `cannot check out ${commit} as ${branch}`
    return failure({ type: 'git-failed', command: 'git read-tree', problem })
  }
  await removeLeftovers(directory)
  if ((await lstat(directory).catch(ignoreCodes('ENOENT')))?.isDirectory()) return success(undefined)

  const building = buildingPlaceOf(directory)
  await mkdir(dirname(directory), { recursive: true })
  try {
    const built = await buildTree(needs, request, building)
    if (built.ok) await rename(building, directory)
    return built
  } finally {
    await removeAll(building)
  }
}

async function buildTree(
  needs: HubNeeds,
  request: TreeRequest,
  building: string,
): Promise<Result<void, GitFailure>> {
  const isWarm = await takeWarmTree(needs, request, building)
  const filled = isWarm ? success(undefined) : await fillTree(needs, request, building)
  if (!filled.ok) return filled
  if (request.copies !== undefined) await copyIntoTree(building, request.copies)
  await copyIndex(join(building, '.git', 'index'), savedIndexOf(request.directory, request.commit))
  return success(undefined)
}
