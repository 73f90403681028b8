import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { programPaths } from '../../domain/agent/program-paths.ts'

const PATH_WHEN_UNSET = '/usr/local/bin:/usr/bin:/bin'

/** Finds a program by name or path, as a shell in this directory with this PATH would. */
export async function findProgram(
  name: string,
  cwd: string,
  searchPath: string | undefined = PATH_WHEN_UNSET,
): Promise<string | undefined> {
  if (name.includes('/')) {
    const path = resolve(cwd, name)
    return (await isExecutableFile(path)) ? path : undefined
  }
  for (const path of programPaths(name, searchPath)) if (await isExecutableFile(path)) return path
  return undefined
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    const [stats] = await Promise.all([stat(path), access(path, constants.X_OK)])
    return stats.isFile()
  } catch {
    // Absent, unreachable or not executable: not a program.
    return false
  }
}
