import { readdir } from 'node:fs/promises'
import { dependencyFolderOf } from '../../../../domain/repository/dependency-folders.ts'
import { systemErrorCode } from '../../../../domain/system-error.ts'
import type { IndexEntry } from '../commit/index-entries.ts'
import { foldersAbove } from './folders-above.ts'
import type { SetupFiles } from './read-setup-list.ts'
import { pathIn } from './tree-files.ts'

/** Git compares every file with every one of these paths. The rest is compared one by one afterwards. */
const MOST_PATHS = 200

/**
 * The files and folders that setup made and that the commit doesn't have, so that git need not read them. A folder
 * counts if everything in it is as setup left it. A folder of dependencies or of a cache counts in any case, because
 * tools go on writing there.
 */
export async function findSetupPaths(
  directory: string,
  setup: SetupFiles,
  committed: AsyncGenerator<readonly IndexEntry[], void>,
): Promise<readonly string[]> {
  const { tools, made } = await findMade(setup, committed)
  const found = [...tools].slice(0, MOST_PATHS)
  for (const path of made) {
    if (found.length === MOST_PATHS) break
    if (await isAllUntouched(directory, setup, path)) found.push(path)
  }
  return found
}

type Made = {
  /** Folders of dependencies and caches. */
  readonly tools: ReadonlySet<string>
  /** Everything else, as the topmost files and folders that the commit doesn't have. */
  readonly made: ReadonlySet<string>
}

async function findMade(
  setup: SetupFiles,
  committed: AsyncGenerator<readonly IndexEntry[], void>,
): Promise<Made> {
  const { files, folders } = await listCommitted(committed)
  const tools = new Set<string>()
  const made = new Set<string>()
  for (const path of setup.paths()) {
    if (files.has(path)) continue
    const tool = dependencyFolderOf(path)
    if (tool !== undefined && !folders.has(tool)) tools.add(tool)
    else made.add(foldersAbove(path).find((folder) => !folders.has(folder)) ?? path)
  }
  return { tools, made }
}

async function listCommitted(committed: AsyncGenerator<readonly IndexEntry[], void>) {
  const files = new Set<string>()
  const folders = new Set<string>()
  for await (const batch of committed) {
    for (const { path } of batch) {
      files.add(path)
      for (const folder of foldersAbove(path)) folders.add(folder)
    }
  }
  return { files, folders }
}

async function isAllUntouched(directory: string, setup: SetupFiles, root: string): Promise<boolean> {
  if (setup.has(root)) return await setup.isUntouched(root)
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const inside = await listFolder(directory, folder)
    if (inside === undefined) return false
    for (const path of inside.files) if (!(await setup.isUntouched(path))) return false
    folders.push(...inside.folders)
  }
  return true
}

/** What a folder contains, without repositories' own files and the folders of tools. Undefined if it can't be read. */
async function listFolder(directory: string, folder: string) {
  try {
    const entries = await readdir(pathIn(directory, folder), { withFileTypes: true, encoding: 'buffer' })
    const pathOf = (entry: (typeof entries)[number]) => `${folder}/${entry.name.toString('latin1')}`
    const isOwn = (path: string) => !path.endsWith('/.git') && dependencyFolderOf(`${path}/`) === undefined
    return {
      files: entries.filter((entry) => !entry.isDirectory()).map(pathOf),
      folders: entries
        .filter((entry) => entry.isDirectory())
        .map(pathOf)
        .filter(isOwn),
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}
