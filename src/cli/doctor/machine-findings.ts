import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { safeLine } from '../render/text/safe-text.ts'
import { runGit } from '../repository/run-git.ts'
import type { Surroundings } from '../surroundings.ts'
import { type Finding, fail, ok } from './finding.ts'

const execute = promisify(execFile)
const GIT_TIMEOUT_MS = 10_000
const NEEDED_GIT = [2, 38] as const

type Needs = Pick<Surroundings, 'environment' | 'cwd'>

/** Checks the programs that Muster itself needs. */
export async function machineFindings(needs: Needs): Promise<readonly Finding[]> {
  // Even `git --version` reads settings.
  const pipe = await pipeFinding(needs)
  const git = pipe ?? (await gitFinding(needs))
  const settings = git.level === 'ok' ? await settingsFinding(needs) : undefined
  return [ok('node', process.versions.node), settings ?? git]
}

/** A pipe in the place of git's settings keeps every call of git waiting. */
async function pipeFinding({ environment }: Needs): Promise<Finding | undefined> {
  const { HOME = '', XDG_CONFIG_HOME = join(HOME, '.config'), GIT_CONFIG_GLOBAL } = environment
  const usual = [join(HOME, '.gitconfig'), join(XDG_CONFIG_HOME, 'git', 'config')]
  for (const file of GIT_CONFIG_GLOBAL === undefined ? usual : [GIT_CONFIG_GLOBAL]) {
    const seen = await stat(file).catch(() => undefined)
    if (seen?.isFIFO() !== true) continue
    const detail = `${file} is a named pipe, so every call of git would wait for someone to write to it`
    return fail('git', detail, 'replace it with a regular file')
  }
  return undefined
}

async function settingsFinding({ environment, cwd }: Needs): Promise<Finding | undefined> {
  const read = await runGit(environment, cwd, ['config', '--list', '--name-only'], GIT_TIMEOUT_MS)
  if (read.ok) return undefined
  return fail('git', `can't read its settings: ${safeLine(read.failure)}`, 'git config --list --show-origin')
}

async function gitFinding(needs: Pick<Needs, 'environment'>): Promise<Finding> {
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
