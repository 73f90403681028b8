import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBranchName } from '../../../domain/job/branch-name.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { GitFailure, TreeRequest } from '../../../ports/hub.ts'
import { gitText } from './git-answer.ts'
import { readShallow, writeGitDirectory } from './git-directory.ts'
import { type HubNeeds, hubPath } from './hub-repository.ts'
import { isObjectId, objectFormatOf } from './object-id.ts'
import { removeAll, removeLeftovers } from './remove-tree.ts'
import { LONG_TIMEOUT_MS } from './run-git.ts'
import { copyIndex } from './saved-index.ts'
import { ignoreCodes } from './system-error.ts'
import { buildingPlaceOf, savedIndexOf } from './tree-places.ts'

/** What an agent finds configured. It may change all of it: nothing of ours reads it again. */
const SETTINGS = `[core]
	logallrefupdates = true
[user]
	name = Muster agent
	email = agent@muster.localhost
[commit]
	gpgsign = false
[gc]
	auto = 0
[maintenance]
	auto = false
`

/** A private clone that borrows the hub's objects. It has its name only when it is complete. */
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
  const filled = await fillTree(needs, request, building)
  if (!filled.ok) {
    await removeAll(building)
    return filled
  }
  await copyIndex(join(building, '.git', 'index'), savedIndexOf(directory))
  await rename(building, directory)
  return success(undefined)
}

async function fillTree(
  needs: HubNeeds,
  request: TreeRequest,
  building: string,
): Promise<Result<void, GitFailure>> {
  const hub = hubPath(needs, request.project)
  const shallow = await readShallow(hub)
  const directory = join(building, '.git')
  await writeGitDirectory({
    path: directory,
    objectFormat: objectFormatOf(request.commit),
    checkedOut: request,
    alternates: [join(hub, 'objects')],
    settings: SETTINGS,
    ...(shallow === undefined ? {} : { shallow }),
  })
  const checkedOut = await gitText(needs.git, {
    directory,
    workTree: building,
    arguments: ['read-tree', '-m', '-u', '--end-of-options', request.commit],
    timeoutMs: LONG_TIMEOUT_MS,
  })
  return checkedOut.ok ? success(undefined) : checkedOut
}
