import { join } from 'node:path'
import type { Spool } from '../../../ports/session-host.ts'

/** The files of one session's directory that its host writes. Append-only or written once. */
export type HostFiles = {
  readonly directory: string
  readonly pid: string
  readonly exit: string
  readonly out: string
  readonly err: string
}

export function hostFiles(directory: string): HostFiles {
  return {
    directory,
    pid: join(directory, 'pid'),
    exit: join(directory, 'exit'),
    out: join(directory, 'out'),
    err: join(directory, 'err'),
  }
}

/** Holds a byte once something of the spool was dropped. Beside the spool, so that no program can print it. */
export function truncationMark(files: HostFiles, spool: Spool): string {
  return join(files.directory, `truncated.${spool}`)
}
