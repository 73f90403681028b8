import type { Result } from '../domain/result.ts'
import type { ExitCode } from './exit-code.ts'

/** Why a command failed: what happened, why, and what to try next. */
export type Problem = {
  readonly type: string
  readonly exitCode: ExitCode
  readonly message: string
  readonly why?: string
  /** A command that the person can run. */
  readonly next?: string
}

/** How a command ends. The caller prints a problem; with an exit code, everything has been printed. */
export type Outcome = Result<ExitCode, Problem>
