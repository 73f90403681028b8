import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { TreeRequest } from '../../../../ports/working-trees.ts'
import { gitText } from '../process/git-answer.ts'
import { LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { type GitPointers, readShallow, writeGitDirectory } from '../repository/git-directory.ts'
import { type HubNeeds, hubPath } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'
import { settleIndex } from './saved-index.ts'

export type TreeContent = Pick<TreeRequest, 'project' | 'commit' | 'branch'>

/** The configuration that an agent starts with. The agent may change it, because Muster never reads it. */
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

const MOST_WORKERS = 8

/** Creates a private clone that borrows the hub's objects, in a new directory. */
export async function fillTree(
  needs: HubNeeds,
  content: TreeContent,
  directory: string,
): Promise<Result<void, GitFailure>> {
  const pointers = await pointersOf(needs, content, directory)
  const objectFormat = objectFormatOf(content.commit)
  await writeGitDirectory({ ...pointers, objectFormat, settings: SETTINGS })
  return await checkOut(needs, directory, [content.commit])
}

/** Moves an untouched clone from one commit to another. Writes only the files that differ. */
export async function moveTree(
  needs: HubNeeds,
  directory: string,
  from: string,
  to: string,
): Promise<Result<void, GitFailure>> {
  await settleIndex(join(directory, '.git', 'index'))
  return from === to ? success(undefined) : await checkOut(needs, directory, [from, to])
}

export async function pointersOf(
  needs: HubNeeds,
  content: TreeContent,
  directory: string,
): Promise<GitPointers> {
  const hub = hubPath(needs, content.project)
  const shallow = await readShallow(hub)
  return {
    path: join(directory, '.git'),
    checkedOut: { branch: content.branch, commit: content.commit },
    alternates: [join(hub, 'objects')],
    ...(shallow === undefined ? {} : { shallow }),
  }
}

async function checkOut(
  needs: HubNeeds,
  workTree: string,
  commits: readonly string[],
): Promise<Result<void, GitFailure>> {
  const checkedOut = await gitText(needs.git, {
    directory: join(workTree, '.git'),
    workTree,
    arguments: ['read-tree', '-m', '-u', '--end-of-options', ...commits],
    settings: [`checkout.workers=${idleProcessors()}`],
    timeoutMs: LONG_TIMEOUT_MS,
  })
  return checkedOut.ok ? success(undefined) : checkedOut
}

/** With more workers than idle processors, a checkout would take longer than with one. */
function idleProcessors(): number {
  const [load = 0] = loadavg()
  return Math.max(1, Math.min(MOST_WORKERS, Math.round(availableParallelism() - load)))
}
