import { access, constants, stat } from 'node:fs/promises'
import { programPaths } from '../../domain/agent/program-paths.ts'

/** The path of a program on a search path; undefined if there is none. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  for (const path of programPaths(name, searchPath)) if (await isExecutable(path)) return path
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // It is missing or may not be run, so it is not a program we can use.
    return false
  }
}
