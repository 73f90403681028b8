import { join } from 'node:path'
import type { Spool } from '../../../ports/session-host.ts'

/** The files of one session's directory that its host or its daemon writes. Append-only or written once. */
export type HostFiles = {
  readonly directory: string
  readonly pid: string
  readonly exit: string
  /** Why the session was ended, when it did not end by itself. */
  readonly why: string
  readonly out: string
  readonly err: string
  /** All that was ever said to the program. */
  readonly in: string
  /** There when nothing more will be said. */
  readonly inEnd: string
  /** A pipe on which the host's feeder waits: a line in it means that there is something new to read. */
  readonly bell: string
}

export function hostFiles(directory: string): HostFiles {
  return {
    directory,
    pid: join(directory, 'pid'),
    exit: join(directory, 'exit'),
    why: join(directory, 'why'),
    out: join(directory, 'out'),
    err: join(directory, 'err'),
    in: join(directory, 'in'),
    inEnd: join(directory, 'in.end'),
    bell: join(directory, 'bell'),
  }
}

/** Holds a byte once something of the spool was dropped. Beside the spool, so that no program can print it. */
export function truncationMark(files: HostFiles, spool: Spool): string {
  return join(files.directory, `truncated.${spool}`)
}
