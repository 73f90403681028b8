import { rmdir } from 'node:fs/promises'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { WarmRequest } from '../../../../ports/working-trees.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { isObjectId } from '../repository/object-id.ts'
import { fillTree, moveTree } from './fill-tree.ts'
import { removeAll } from './remove-tree.ts'
import {
  claimWarmTree,
  listWarmTrees,
  makePool,
  poolOf,
  removeUnfinished,
  shelveWarmTree,
  unfinishedPlaceIn,
  type WarmTree,
} from './warm-pool.ts'

const MOST_TREES = 32
/** A placeholder. Whoever takes the tree gives it a branch. */
const BRANCH = 'main'

/** Makes the pool contain `count` trees at `commit`. Other calls may take trees meanwhile. */
export async function fillWarmPool(needs: HubNeeds, request: WarmRequest): Promise<Result<void, GitFailure>> {
  const pool = poolOf(needs, request.project)
  if (pool === undefined) return success(undefined)
  const count = Math.min(Math.max(request.count, 0), MOST_TREES)
  if (count > 0 && !isObjectId(request.commit)) {
    const problem = `cannot check out ${request.commit}`
    return failure({ type: 'git-failed', command: 'git read-tree', problem })
  }
  await removeUnfinished(pool)
  await moveOrRemove(needs, pool, { ...request, count })
  if (count === 0) {
    await rmdir(pool).catch(ignoreCodes('ENOENT'))
    return success(undefined)
  }
  return await refill(needs, pool, { ...request, count })
}

async function moveOrRemove(needs: HubNeeds, pool: string, request: WarmRequest): Promise<void> {
  const trees = await listWarmTrees(pool)
  const ready = trees.filter(({ commit }) => commit === request.commit)
  const others = trees.filter(({ commit }) => commit !== request.commit)
  const kept = new Set([...ready, ...others].slice(0, request.count))
  for (const tree of trees) {
    if (!kept.has(tree)) await remove(pool, tree)
    else if (tree.commit !== request.commit) await move(needs, pool, tree, request.commit)
  }
}

async function move(needs: HubNeeds, pool: string, tree: WarmTree, commit: string): Promise<void> {
  const place = unfinishedPlaceIn(pool)
  if (!(await claimWarmTree(tree, place))) return
  const moved = await moveTree(needs, place, tree.commit, commit)
  if (moved.ok) await shelveWarmTree(pool, place, commit)
  else await removeAll(place)
}

async function remove(pool: string, tree: WarmTree): Promise<void> {
  const place = unfinishedPlaceIn(pool)
  if (await claimWarmTree(tree, place)) await removeAll(place)
}

async function refill(
  needs: HubNeeds,
  pool: string,
  { project, commit, count }: WarmRequest,
): Promise<Result<void, GitFailure>> {
  await makePool(pool)
  // Counted only once, so that this ends even if trees are taken faster than they are built.
  const missing = count - (await listWarmTrees(pool)).length
  for (let built = 0; built < missing; built += 1) {
    const place = unfinishedPlaceIn(pool)
    const filled = await fillTree(needs, { project, commit, branch: BRANCH }, place)
    if (!filled.ok) {
      await removeAll(place)
      return filled
    }
    await shelveWarmTree(pool, place, commit)
  }
  return success(undefined)
}
