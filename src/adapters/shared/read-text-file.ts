import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { failure, type Result, success } from '../../domain/result.ts'

type Options = {
  readonly maxBytes: number
  /** Fails if the file is a symbolic link. Its target may be a file that nobody meant to read, and errors quote it. */
  readonly refusesLinks?: boolean
}

/** Reads a small text file. The value is undefined if it doesn't exist; a failure says what is wrong with it. */
export async function readTextFile(
  file: string,
  { maxBytes, refusesLinks = false }: Options,
): Promise<Result<string | undefined, string>> {
  // Without O_NONBLOCK, a named pipe in the file's place would block the daemon.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (refusesLinks ? constants.O_NOFOLLOW : 0)
  try {
    await using handle = await open(file, flags)
    const found = await handle.stat()
    if (!found.isFile()) return failure('is not a file')
    if (found.size > maxBytes) return failure(`is larger than ${sizeOf(maxBytes)}`)
    return success(new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile()))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return describeError(error)
  }
}

const MEBIBYTE = 1024 * 1024

function sizeOf(bytes: number): string {
  return bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`
}

export const LINK_PROBLEM = 'is a symbolic link: replace it with the file itself'

const PROBLEMS: Readonly<Record<string, string>> = {
  ELOOP: LINK_PROBLEM,
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8 text',
}

function describeError(error: NodeJS.ErrnoException): Result<undefined, string> {
  const { code = '' } = error
  if (code === 'ENOENT' || code === 'ENOTDIR') return success(undefined)
  return failure(PROBLEMS[code] ?? `cannot be read: ${error.message}`)
}
