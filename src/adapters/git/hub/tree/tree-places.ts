import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ignoreCodes } from '../../../../domain/system-error.ts'

/** A copy of a new tree's index at `commit`. The agent can't reach it, so its stat data can be trusted. */
export function savedIndexOf(directory: string, commit: string): string {
  return `${directory}.index.${commit}`
}

/** Where a tree is built. The tree gets its name only when it is complete. */
export function buildingPlaceOf(directory: string): string {
  return `${directory}.new.${randomUUID()}`
}

/** Where a tree is moved to be removed, so that its own name never has half a tree. */
export function removalPlaceOf(directory: string): string {
  return `${directory}.gone.${randomUUID()}`
}

/** Trees that a call was building or removing when it died. */
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
