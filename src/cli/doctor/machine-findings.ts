import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Surroundings } from '../surroundings.ts'
import { broken, type Finding, fine } from './finding.ts'

const execute = promisify(execFile)
const GIT_TIMEOUT_MS = 10_000
const NEEDED_GIT = [2, 38] as const

/** The programs Muster itself needs. */
export async function machineFindings(needs: Pick<Surroundings, 'environment'>): Promise<readonly Finding[]> {
  return [fine('node', process.versions.node), await gitFinding(needs)]
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
    return broken(
      'git',
      `cannot be run: ${error.message}`,
      'install git 2.38 or newer, and see that it is on your PATH',
    )
  }
}

/** `git merge-tree --write-tree` came with 2.38. */
export function judgeGit(output: string): Finding {
  const [, major, minor, rest = ''] = /(\d+)\.(\d+)(\S*)/.exec(output) ?? []
  if (major === undefined || minor === undefined) {
    return broken('git', `said "${output.trim()}" instead of its version`, 'install git 2.38 or newer')
  }
  const version = `${major}.${minor}${rest}`
  const newer =
    Number(major) > NEEDED_GIT[0] || (Number(major) === NEEDED_GIT[0] && Number(minor) >= NEEDED_GIT[1])
  return newer ? fine('git', version) : broken('git', `${version} is too old`, 'install git 2.38 or newer')
}
