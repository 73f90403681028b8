import type { Result } from '../domain/result.ts'
import type { ExitCode } from './exit-code.ts'

/** Why a command could not do what it was asked: what happened, why, and what to try next. */
export type Problem = {
  readonly type: string
  readonly exitCode: ExitCode
  readonly message: string
  readonly why?: string
  /** A command the person can type. */
  readonly next?: string
}

/** How every command ends. A problem is shown; an exit code alone means the command has said its piece. */
export type Outcome = Result<ExitCode, Problem>
