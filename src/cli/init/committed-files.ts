import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** Reading a tree runs no hook, filter or other program, whatever the repository has configured. */
const SETTINGS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']
const TIMEOUT_MS = 10_000

/**
 * Which of these files at the root of a repository are in its last commit. Undefined if that isn't known, for example
 * because there is no commit yet. Agents and checks work on commits, so they never see other files.
 */
export async function committedFiles(
  repository: string,
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string> | undefined> {
  const query = ['ls-tree', '-z', '--name-only', '--full-tree', 'HEAD', '--', ...names]
  try {
    const { stdout } = await execute('git', ['-C', repository, ...SETTINGS, ...query], {
      env: { ...environment, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' },
      timeout: TIMEOUT_MS,
    })
    return new Set(stdout.split('\0').filter((name) => name !== ''))
  } catch {
    return undefined
  }
}
