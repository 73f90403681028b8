import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Surroundings } from '../surroundings.ts'

/** A bare repository of this command's own, which no agent can write to. It borrows the objects of the hub. */
export type PushingRepository = AsyncDisposable & { readonly path: string }

/** The name of the remote in that repository. */
export const TARGET = 'target'

/**
 * Makes a repository to push from. The person's own repository is not used, because its hooks and settings may not be
 * theirs alone; the hub is not used, because only the daemon works in it. The remote's URL, which may contain a
 * password, is in a file that only the person can read, and not on a command line.
 */
export async function openPushingRepository(
  { temporaryDirectory }: Pick<Surroundings, 'temporaryDirectory'>,
  source: { readonly objectsPath: string; readonly commit: string; readonly url: string },
): Promise<PushingRepository> {
  const path = await mkdtemp(join(temporaryDirectory, 'muster-pr-'))
  try {
    await mkdir(join(path, 'objects', 'info'), { recursive: true })
    await mkdir(join(path, 'refs', 'heads'), { recursive: true })
    await writeFile(join(path, 'objects', 'info', 'alternates'), `${quoted(source.objectsPath)}\n`)
    await writeFile(join(path, 'config'), configText(source), { mode: 0o600 })
    await writeFile(join(path, 'HEAD'), 'ref: refs/heads/none\n')
    await copyShallow(source.objectsPath, path)
  } catch (error) {
    await rm(path, { recursive: true, force: true })
    throw error
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Where a shallow history begins; without it, git would miss the commits before. */
async function copyShallow(objectsPath: string, path: string): Promise<void> {
  try {
    await writeFile(join(path, 'shallow'), await readFile(join(dirname(objectsPath), 'shallow')))
  } catch (error) {
    // Most histories are whole.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function configText({ commit, url }: { readonly commit: string; readonly url: string }): string {
  const isSha256 = commit.length === 64
  const format = isSha256 ? '[extensions]\n\tobjectFormat = sha256\n' : ''
  const version = isSha256 ? 1 : 0
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${format}[remote "${TARGET}"]\n\turl = ${quoted(url)}\n`
}

/** Both files read a text in double quotes as C does. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
