import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '../../../../domain/id.ts'
import { ignoreCodes, systemErrorCode } from '../process/system-error.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'
import { removeAll } from './remove-tree.ts'

/** A whole clone that nobody has seen; its name says at which commit it is. */
export type WarmTree = { readonly path: string; readonly commit: string }

const WARM = /^([0-9a-f]{40}|[0-9a-f]{64})\.[0-9a-f-]{36}$/

export function poolOf(needs: Pick<HubNeeds, 'warmDirectory'>, project: ProjectId): string | undefined {
  return needs.warmDirectory === undefined ? undefined : join(needs.warmDirectory, project)
}

/** Nobody else may look in: what is taken from here is trusted to be untouched. */
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

/** Takes a warm tree out of everybody's reach. False when another was faster: a tree has one taker. */
export async function claimWarmTree({ path }: WarmTree, place: string): Promise<boolean> {
  try {
    await rename(path, place)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw error
  }
}

export async function shelveWarmTree(pool: string, place: string, commit: string): Promise<void> {
  await rename(place, join(pool, `${commit}.${randomUUID()}`))
}

/** Where a tree is built, moved or removed: a name that is never taken. */
export function unfinishedPlaceIn(pool: string): string {
  return join(pool, `new.${randomUUID()}`)
}

/** Those that a death left unfinished. To be called while nobody works in the pool. */
export async function removeUnfinished(pool: string): Promise<void> {
  const names = (await readdir(pool).catch(ignoreCodes('ENOENT'))) ?? []
  for (const name of names) if (!WARM.test(name)) await removeAll(join(pool, name))
}
