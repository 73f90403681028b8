import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeGitPointers } from '../repository/git-directory.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { moveTree, pointersOf, type TreeContent } from './fill-tree.ts'
import { removeAll } from './remove-tree.ts'
import { claimWarmTree, listWarmTrees, poolOf, type WarmTree } from './warm-pool.ts'

/** Brings a warm tree to `place`, as if it had been made there. False when there is none that can be used. */
export async function takeWarmTree(needs: HubNeeds, content: TreeContent, place: string): Promise<boolean> {
  const pool = poolOf(needs, content.project)
  if (pool === undefined) return false
  try {
    const taken = await claimBest(pool, content.commit, place)
    if (taken !== undefined && (await prepare(needs, content, taken.commit, place))) return true
  } catch {
    // Whatever it was, another disk or a damaged tree: a tree made anew is as good, and reports what is really wrong.
  }
  await removeAll(place)
  return false
}

/** One that is at the commit already, or else any: to move it is still far less than to make one. */
async function claimBest(pool: string, commit: string, place: string): Promise<WarmTree | undefined> {
  const trees = await listWarmTrees(pool)
  const ready = trees.filter((tree) => tree.commit === commit)
  const others = trees.filter((tree) => tree.commit !== commit && tree.commit.length === commit.length)
  for (const tree of [...ready, ...others]) if (await claimWarmTree(tree, place)) return tree
  return undefined
}

async function prepare(needs: HubNeeds, content: TreeContent, from: string, place: string): Promise<boolean> {
  // The hub may have moved or got more history since the tree was made.
  const pointers = await pointersOf(needs, content, place)
  if (pointers.shallow === undefined) await rm(join(pointers.path, 'shallow'), { force: true })
  await writeGitPointers(pointers)
  return (await moveTree(needs, place, from, content.commit)).ok
}
