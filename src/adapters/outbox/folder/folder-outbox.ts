import { lstat, mkdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outbox, OutboxFile, OutboxTake, ParseMessage } from '../../../ports/outbox.ts'
import { listMessageFiles } from './list-message-files.ts'
import { fileKey, readOutboxFile } from './read-outbox-file.ts'
import { setAside } from './set-aside.ts'
import { watchFolder } from './watch-folder.ts'

const MAX_FILES = 64

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
  const { names, isMore } = await listMessageFiles(directory, MAX_FILES)
  const files: OutboxFile[] = []
  for (const name of names) {
    const file = await readOutboxFile(parse, directory, name)
    if (file !== undefined) files.push(file)
  }
  return { files, isMore }
}

/** Names may be used again: the next message of the same name must not go with this one. */
async function remove(directory: string, file: OutboxFile): Promise<void> {
  const path = join(directory, file.name)
  try {
    const { ino, mtimeNs } = await lstat(path, { bigint: true })
    if (fileKey(file.name, ino, mtimeNs) === file.key) await unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
