import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ignoreCodes } from '../process/system-error.ts'

/** Our own copy of the index that a new tree was checked out with at `commit`: the agent cannot reach its stat data. */
export function savedIndexOf(directory: string, commit: string): string {
  return `${directory}.index.${commit}`
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
export function leftoversOf(directory: string): Promise<readonly string[]> {
  return siblingsOf(directory, ['.new.', '.gone.'])
}

export function savedIndexesOf(directory: string): Promise<readonly string[]> {
  return siblingsOf(directory, ['.index'])
}

async function siblingsOf(directory: string, endings: readonly string[]): Promise<readonly string[]> {
  const parent = dirname(directory)
  const starts = endings.map((ending) => `${basename(directory)}${ending}`)
  const names = (await readdir(parent).catch(ignoreCodes('ENOENT'))) ?? []
  return names
    .filter((name) => starts.some((start) => name.startsWith(start)))
    .map((name) => join(parent, name))
}
