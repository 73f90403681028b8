import { randomBytes } from 'node:crypto'
import { type FSWatcher, watch } from 'node:fs'
import { lstat, mkdir, opendir, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Outbox, OutboxFile, OutboxTake, ParseMessage } from '../../../ports/outbox.ts'
import { fileKey, readOutboxFile } from './read-outbox-file.ts'

const MAX_FILES = 64
const MAX_SEEN = 4096
const MESSAGE_NAME = /^[^.].*\.json$/s
const KEPT_OF_NAME = 80
const GATHER_MS = 20

export function createFolderOutbox(parse: ParseMessage): Outbox {
  return {
    async prepare(directory) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
    },
    take: (directory) => take(parse, directory),
    remove,
    setAside,
    watch: watchFolder,
  }
}

async function take(parse: ParseMessage, directory: string): Promise<OutboxTake> {
  const { names, isMore } = await listMessageFiles(directory)
  const files: OutboxFile[] = []
  for (const name of names) {
    const file = await readOutboxFile(parse, directory, name)
    if (file !== undefined) files.push(file)
  }
  return { files, isMore }
}

/** Removes this file only, because an agent may have reused its name for the next message. */
async function remove(directory: string, file: OutboxFile): Promise<void> {
  const path = join(directory, file.name)
  try {
    const { ino, mtimeNs } = await lstat(path, { bigint: true })
    if (fileKey(file.name, ino, mtimeNs) === file.key) await unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** The first names of message files, sorted. Doesn't read all of a folder with millions of files. */
async function listMessageFiles(
  directory: string,
): Promise<{ readonly names: readonly string[]; readonly isMore: boolean }> {
  const found: string[] = []
  let seen = 0
  try {
    for await (const entry of await opendir(directory)) {
      seen += 1
      if (MESSAGE_NAME.test(entry.name)) found.push(entry.name)
      if (seen >= MAX_SEEN) break
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  const names = found.sort((one, other) => (one < other ? -1 : 1)).slice(0, MAX_FILES)
  return { names, isMore: found.length > MAX_FILES }
}

/**
 * Moves a file to a folder that the agent can't write to. Inside the outbox, a link could lead anywhere. A rename works
 * for every kind of file without opening it.
 */
async function setAside(directory: string, name: string, reason: string): Promise<void> {
  const place = join(dirname(directory), 'outbox-rejected')
  await mkdir(place, { recursive: true, mode: 0o700 })
  const kept = `${randomBytes(6).toString('hex')}-${name.slice(0, KEPT_OF_NAME)}`
  try {
    await rename(join(directory, name), join(place, kept))
  } catch (error) {
    // The agent or an earlier call has already removed it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await writeFile(join(place, `${kept}.reason`), `${reason}\n`, { mode: 0o600, flag: 'wx' })
}

/** Calls `onChange` soon after the folder has changed, once for many changes. Never, if it can't be watched. */
function watchFolder(directory: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      onChange()
    }, GATHER_MS)
  }
  const watcher = openWatcher(directory, later)
  // Files may have been added before the watch began.
  later()
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      watcher?.close()
    },
  }
}

function openWatcher(directory: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, onEvent)
    // The folder was removed or the system is out of watches. Messages are then taken when the session ends.
    watcher.on('error', () => watcher.close())
    return watcher
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
