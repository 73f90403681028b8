import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ignoreCodes } from '../process/system-error.ts'

/** Our own copy of the index that a new tree was checked out with: the agent cannot reach its stat data. */
export function savedIndexOf(directory: string): string {
  return `${directory}.index`
}

/** Where a tree is built before it gets its name. */
export function buildingPlaceOf(directory: string): string {
  return `${directory}.new.${randomUUID()}`
}

/** Where a tree waits to be removed: under its own name it is always whole. */
export function removalPlaceOf(directory: string): string {
  return `${directory}.gone.${randomUUID()}`
}

/** Trees that a dead call was building or removing. */
export async function leftoversOf(directory: string): Promise<readonly string[]> {
  const parent = dirname(directory)
  const name = basename(directory)
  const siblings = (await readdir(parent).catch(ignoreCodes('ENOENT'))) ?? []
  return siblings
    .filter((sibling) => sibling.startsWith(`${name}.new.`) || sibling.startsWith(`${name}.gone.`))
    .map((sibling) => join(parent, sibling))
}
