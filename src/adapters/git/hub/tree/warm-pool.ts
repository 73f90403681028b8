import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '../../../../domain/id.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { removeAll } from './remove-tree.ts'

/** A complete clone that no one has used. Its name contains the commit that is checked out. */
export type WarmTree = { readonly path: string; readonly commit: string }

const WARM = /^([0-9a-f]{40}|[0-9a-f]{64})\.[0-9a-f-]{36}$/

export function poolOf(needs: Pick<HubNeeds, 'warmDirectory'>, project: ProjectId): string | undefined {
  return needs.warmDirectory === undefined ? undefined : join(needs.warmDirectory, project)
}

/** Only the owner has access, because trees from the pool are trusted to be untouched. */
export async function makePool(pool: string): Promise<void> {
  await mkdir(pool, { recursive: true, mode: 0o700 })
}

export async function listWarmTrees(pool: string): Promise<readonly WarmTree[]> {
  const names = (await readdir(pool).catch(ignoreCodes('ENOENT'))) ?? []
  return names.flatMap((name) => {
    const [, commit] = WARM.exec(name) ?? []
    return commit === undefined ? [] : [{ path: join(pool, name), commit }]
  })
}

/** Takes a warm tree out of the pool. False if another call was faster: only one call gets a tree. */
export async function claimWarmTree({ path }: WarmTree, place: string): Promise<boolean> {
  const isClaimed = await rename(path, place).then(() => true, ignoreCodes('ENOENT'))
  return isClaimed ?? false
}

export async function shelveWarmTree(pool: string, place: string, commit: string): Promise<void> {
  await rename(place, join(pool, `${commit}.${randomUUID()}`))
}

/** A new name in the pool under which a tree is built, moved or removed. No one takes trees with such names. */
export function unfinishedPlaceIn(pool: string): string {
  return join(pool, `new.${randomUUID()}`)
}

/** Removes the trees that a crash left unfinished. Call it only while no other call fills the pool. */
export async function removeUnfinished(pool: string): Promise<void> {
  const names = (await readdir(pool).catch(ignoreCodes('ENOENT'))) ?? []
  for (const name of names) if (!WARM.test(name)) await removeAll(join(pool, name))
}
