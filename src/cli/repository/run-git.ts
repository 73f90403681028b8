import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Surroundings } from '../surroundings.ts'

const execute = promisify(execFile)
export type Environment = Surroundings['environment']

const TIMEOUT_MS = 60_000
const MAX_OUTPUT = 16 * 1024 * 1024

/** The most that a remark may delay a command. */
export const REMARK_MS = 5_000

/** Runs git as the person would in one of their directories. Returns its output, or what it complained about. */
export async function runGit(
  environment: Environment,
  directory: string,
  parameters: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<Result<string, string>> {
  // The person's own environment, except for what would make git use another repository or wait for an answer.
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...own } = environment
  const env = { ...own, GIT_TERMINAL_PROMPT: '0' }
  try {
    const options = { timeout: timeoutMs, maxBuffer: MAX_OUTPUT, env }
    const { stdout } = await execute('git', ['-C', directory, ...parameters], options)
    return success(stdout)
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return failure(words === '' ? String(error) : words)
  }
}
