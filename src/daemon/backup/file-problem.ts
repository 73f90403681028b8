import { getSystemErrorMessage } from 'node:util'

/** Why a file couldn't be read or written, without the name of the system call and the path it got. */
export function fileProblem(error: Error): string {
  const { errno, syscall } = error as NodeJS.ErrnoException
  return errno === undefined || syscall === undefined ? error.message : getSystemErrorMessage(errno)
}
