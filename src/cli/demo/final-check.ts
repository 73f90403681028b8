import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { git, type Playground } from './playground.ts'

export type FinalCheck = { readonly passed: boolean; readonly summary: string }

const TEST_TIMEOUT_MS = 60_000

/** Runs the demo's tests once more on what the working branch holds, in a clone of its own. */
export async function finalCheck(
  playground: Playground,
  nodePath: string,
  branch: string,
): Promise<FinalCheck> {
  const clone = join(playground.directory, 'result')
  await git(playground.directory, ['clone', '--quiet', '--branch', branch, playground.repository, clone])
  return new Promise((resolve) => {
    // A runner inside a runner keeps quiet unless it is told that it is the first.
    const { NODE_TEST_CONTEXT: _outer, ...environment } = process.env
    const options = { cwd: clone, timeout: TEST_TIMEOUT_MS, env: environment }
    execFile(nodePath, ['--test', '--test-reporter=tap'], options, (error, stdout) => {
      const counts: readonly string[] = stdout.match(/^# (?:pass|fail|todo) \d+$/gm) ?? []
      resolve({
        passed: error === null && counts.includes('# todo 0'),
        summary: counts.map((count) => count.slice(2)).join(', '),
      })
    })
  })
}
