import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TreeRequest } from '../../../../ports/working-trees.ts'
import { LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { writeGitPointers } from '../repository/git-directory.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { moveTree, pointersOf } from './fill-tree.ts'
import { removeAll } from './remove-tree.ts'
import { claimWarmTree, listWarmTrees, poolOf, type WarmTree } from './warm-pool.ts'

/** Moves a warm tree to `place` and prepares it like a new one. False if there is no usable warm tree. */
export async function takeWarmTree(needs: HubNeeds, request: TreeRequest, place: string): Promise<boolean> {
  const pool = poolOf(needs, request.project)
  if (pool === undefined) return false
  try {
    const taken = await claimBest(pool, request.commit, place)
    if (taken !== undefined && (await prepare(needs, request, taken.commit, place))) return true
  } catch {
    // The pool may be on another disk, or the tree damaged. A new tree works just as well, and building it reports problems.
  }
  await removeAll(place)
  return false
}

/** Prefers a tree that is already at the commit. Moving another one still costs far less than building a tree. */
async function claimBest(pool: string, commit: string, place: string): Promise<WarmTree | undefined> {
  const trees = await listWarmTrees(pool)
  const ready = trees.filter((tree) => tree.commit === commit)
  const others = trees.filter((tree) => tree.commit !== commit && tree.commit.length === commit.length)
  for (const tree of [...ready, ...others]) if (await claimWarmTree(tree, place)) return tree
  return undefined
}

async function prepare(needs: HubNeeds, request: TreeRequest, from: string, place: string): Promise<boolean> {
  // Since the tree was built, the hub may have moved or fetched more history.
  const pointers = await pointersOf(needs, request, place)
  if (pointers.shallow === undefined) await rm(join(pointers.path, 'shallow'), { force: true })
  await writeGitPointers(pointers)
  if (!(await moveTree(needs, place, from, request.commit)).ok) return false
  return await isIntact(needs, place)
}

/**
 * Whether a clone has exactly the files of its commit. A clone that waited in the pool may have lost some: files that an
 * attempt never had must not land as a deletion.
 */
async function isIntact(needs: HubNeeds, directory: string): Promise<boolean> {
  const compared = await needs.git({
    directory: join(directory, '.git'),
    workTree: directory,
    arguments: [
      'status',
      '--porcelain',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=all',
      '--no-renames',
    ],
    environment: { GIT_OPTIONAL_LOCKS: '0' },
    cutAfterBytes: 1,
    timeoutMs: LONG_TIMEOUT_MS,
  })
  return compared.ok && compared.value.code === 0 && compared.value.stdout.length === 0
}
