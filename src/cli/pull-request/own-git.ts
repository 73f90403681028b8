import type { Result } from '../../domain/result.ts'
import type { Surroundings } from '../surroundings.ts'
import { type ProgramRun, runProgram } from './run-program.ts'

export type OwnGit = {
  readonly surroundings: Pick<Surroundings, 'environment'>
  /** Whether git may ask the person for a name or a password. */
  readonly mayAsk: boolean
  readonly signal: AbortSignal
}

/** What would make git work on another repository than the one it is given. */
const ELSEWHERE = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
]

/** Runs git as the person would, with their settings, keys and log-ins. Its messages are in English, to be read here. */
export function runOwnGit(
  { surroundings, mayAsk, signal }: OwnGit,
  directory: string,
  parameters: readonly string[],
  timeoutMs: number,
): Promise<Result<ProgramRun, string>> {
  const own = Object.entries(surroundings.environment).filter(([name]) => !ELSEWHERE.includes(name))
  return runProgram({
    program: 'git',
    parameters,
    cwd: directory,
    environment: {
      ...Object.fromEntries(own),
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: mayAsk ? '1' : '0',
      // The URL comes from a repository's settings, which must not choose a program that git runs.
      GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
    },
    timeoutMs,
    signal,
  })
}
