import { getSystemErrorMessage } from 'node:util'
import { isReaderGone } from './reader-gone.ts'

/**
 * Why the system refused output, such as "no space left on device". Undefined if the reader is gone, or if the error
 * doesn't come from the system. EIO means that a terminal is gone, but that a file could not be written.
 */
export function writeProblem(error: unknown, isTerminal: boolean): string | undefined {
  const { errno, code, syscall } = error as NodeJS.ErrnoException
  if (errno === undefined || syscall !== 'write') return undefined
  if (isReaderGone(error) && (code !== 'EIO' || isTerminal)) return undefined
  return getSystemErrorMessage(errno)
}
