import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'

/** A file or a folder that a command was asked to make can't be written. */
export function notWritten(path: string, why: string): Problem {
  return { type: 'not-written', exitCode: EXIT.failed, message: `${path} can't be written`, why }
}
