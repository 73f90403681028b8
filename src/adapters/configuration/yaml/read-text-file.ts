import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { failure, type Result, success } from '../../../domain/result.ts'

const MAX_BYTES = 1024 * 1024

/** A file's text; undefined when there is no file, a problem when there is one that is not a modest text. */
export async function readTextFile(file: string): Promise<Result<string | undefined, string>> {
  try {
    // Without waiting, or a named pipe put in the file's place would hold the daemon.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await handle.stat()
    if (!found.isFile()) return failure('is not a file')
    if (found.size > MAX_BYTES) return failure('is larger than 1 MiB')
    return success(new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile()))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const code = 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return success(undefined)
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return failure('is not UTF-8 text')
    return failure(`cannot be read: ${error.message}`)
  }
}
