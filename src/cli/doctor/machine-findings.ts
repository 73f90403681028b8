import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Surroundings } from '../surroundings.ts'
import { type Finding, fail, ok } from './finding.ts'

const execute = promisify(execFile)
const GIT_TIMEOUT_MS = 10_000
const NEEDED_GIT = [2, 38] as const

/** Checks the programs that Muster itself needs. */
export async function machineFindings(needs: Pick<Surroundings, 'environment'>): Promise<readonly Finding[]> {
  return [ok('node', process.versions.node), await gitFinding(needs)]
}

async function gitFinding(needs: Pick<Surroundings, 'environment'>): Promise<Finding> {
  try {
    const { stdout } = await execute('git', ['--version'], {
      timeout: GIT_TIMEOUT_MS,
      env: { ...needs.environment },
    })
    return judgeGit(stdout)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return fail(
      'git',
      `cannot be run: ${error.message}`,
      'install git 2.38 or newer, and make sure that it is on your PATH',
    )
  }
}

/** `git merge-tree --write-tree` was added in 2.38. */
export function judgeGit(output: string): Finding {
  const [, major, minor, rest = ''] = /(\d+)\.(\d+)(\S*)/.exec(output) ?? []
  if (major === undefined || minor === undefined) {
    return fail('git', `printed "${output.trim()}" instead of its version`, 'install git 2.38 or newer')
  }
  const version = `${major}.${minor}${rest}`
  const newer =
    Number(major) > NEEDED_GIT[0] || (Number(major) === NEEDED_GIT[0] && Number(minor) >= NEEDED_GIT[1])
  return newer ? ok('git', version) : fail('git', `${version} is too old`, 'install git 2.38 or newer')
}
