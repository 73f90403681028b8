import type { Dirent } from 'node:fs'
import { rm } from 'node:fs/promises'
import { readablePath } from '../commit/index-entries.ts'
import { entriesOf, type SpecialFile, specialKind } from './special-file.ts'
import { specialFilesOfRepository } from './special-files-of-repository.ts'
import { pathIn } from './tree-files.ts'

export type TreeSurvey = {
  /** Files that git would wait for forever: named pipes, sockets and devices at names that git opens. */
  readonly special: readonly SpecialFile[]
  /** How many files and folders the tree has. */
  readonly count: number
}

const RULES = /(?:^|\/)\.git(?:ignore|attributes)$/

/**
 * Looks for what would keep git from ever finishing. Adding a tree, git opens its own rules in every folder, and the
 * files of nested repositories. It skips special files with any other name, and never reads the `.git` of the tree.
 */
export async function surveyTree(directory: string): Promise<TreeSurvey> {
  const special: SpecialFile[] = []
  let count = 0
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(pathIn(directory, folder))) {
      count += 1
      const path = `${folder}${entry.name.toString('latin1')}`
      special.push(...(await specialFilesAt(directory, path, entry)))
      if (entry.isDirectory() && !isRepository(path)) folders.push(`${path}/`)
    }
  }
  return { special, count }
}

async function specialFilesAt(
  directory: string,
  path: string,
  entry: Dirent<Buffer>,
): Promise<readonly SpecialFile[]> {
  if (isRepository(path)) return path === '.git' ? [] : await specialFilesOfRepository(directory, path)
  const kind = RULES.test(path) ? specialKind(entry) : undefined
  return kind === undefined ? [] : [{ path, kind }]
}

function isRepository(path: string): boolean {
  return path === '.git' || path.endsWith('/.git')
}

/** Removes special files from a tree of ours. They have no content, so nothing is lost. */
export async function removeSpecial(directory: string, special: readonly SpecialFile[]): Promise<void> {
  for (const { path } of special) await rm(pathIn(directory, path), { recursive: true, force: true })
}

/** Undefined if there are none. */
export function describeSpecial([first, ...others]: readonly SpecialFile[]): string | undefined {
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : ` (and at ${others.length} more such places)`
  return `a ${first.kind} at ${readablePath(first.path)}${more}, which git can't read`
}
