import { join } from 'node:path'
import type { Spool } from '../../../ports/session-host.ts'

/**
 * The files in a session's directory that its host or the daemon writes. Except for `ran`, they are append-only or
 * written once.
 */
export type HostFiles = {
  readonly directory: string
  readonly pid: string
  readonly exit: string
  /** Why the session was ended, if it did not end by itself. */
  readonly why: string
  /** How many milliseconds the program has run. The host replaces its content again and again. */
  readonly ran: string
  readonly out: string
  readonly err: string
  /** Everything that was ever written to the program. */
  readonly in: string
  /** Exists once there will be no more input. */
  readonly inEnd: string
  /** A pipe on which the host's feeder waits. A line in it means that there is new input. */
  readonly bell: string
}

export function hostFiles(directory: string): HostFiles {
  return {
    directory,
    pid: join(directory, 'pid'),
    exit: join(directory, 'exit'),
    why: join(directory, 'why'),
    ran: join(directory, 'ran'),
    out: join(directory, 'out'),
    err: join(directory, 'err'),
    in: join(directory, 'in'),
    inEnd: join(directory, 'in.end'),
    bell: join(directory, 'bell'),
  }
}

/** Contains a byte once output was dropped. A separate file, because a program could print a mark into the spool. */
export function truncationMark(files: HostFiles, spool: Spool): string {
  return join(files.directory, `truncated.${spool}`)
}

/** A line for each time that a spool's writer was killed and took bytes with it: their number, or `?`. */
export function lossRecord(files: HostFiles, spool: Spool): string {
  return join(files.directory, `missing.${spool}`)
}
