import { opendir } from 'node:fs/promises'

const MAX_SEEN = 4096
const MESSAGE_NAME = /^[^.].*\.json$/s

/** Names of messages in a folder, at most so many, in order; a folder of millions is not read to its end. */
export async function listMessageFiles(
  directory: string,
  limit: number,
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
  const names = found.sort((one, other) => (one < other ? -1 : 1)).slice(0, limit)
  return { names, isMore: found.length > limit }
}
