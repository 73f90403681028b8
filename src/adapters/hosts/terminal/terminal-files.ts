import { join } from 'node:path'

/** Where everything of one terminal is. */
export type TerminalFiles = {
  readonly directory: string
  readonly pid: string
  readonly exit: string
  /** The last screen of a program that ended. */
  readonly screen: string
}

export function terminalFiles(directory: string): TerminalFiles {
  return {
    directory,
    pid: join(directory, 'pid'),
    exit: join(directory, 'exit'),
    screen: join(directory, 'screen'),
  }
}
