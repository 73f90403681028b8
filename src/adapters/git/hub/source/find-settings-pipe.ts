import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { askGit } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'

/** More than anyone has. Files that include each other in a circle are seen once. */
const MOST_FILES = 100
const INCLUDES = /\[\s*include/i
const INCLUDE_PATTERN = '^include(if\\..*)?\\.path$'

/**
 * Finds a named pipe among files with git's settings and the files that they include. Git would wait for someone to
 * write to the pipe, at every call.
 */
export async function findSettingsPipe(
  git: Git,
  files: readonly string[],
  home?: string,
): Promise<string | undefined> {
  const seen = new Set(files)
  // A set that grows while it is read is read to its end.
  for (const file of seen) {
    // Git itself reports what else is wrong with a file.
    const stats = await stat(file).catch(() => undefined)
    if (stats?.isFIFO() === true) return file
    if (stats?.isFile() !== true || seen.size > MOST_FILES) continue
    for (const path of await includedBy(git, file, home)) seen.add(resolve(dirname(file), path))
  }
  return undefined
}

export function pipeWords(file: string): string {
  return `git's settings in ${file} can't be read, because it is a named pipe`
}

async function includedBy(git: Git, file: string, home: string | undefined): Promise<readonly string[]> {
  const text = await readFile(file, 'latin1').catch(() => '')
  if (!INCLUDES.test(text)) return []
  const read = await askGit(git, {
    arguments: [
      'config',
      '--file',
      file,
      '--no-includes',
      '-z',
      '--type=path',
      '--get-regexp',
      INCLUDE_PATTERN,
    ],
    // Only for paths that begin with `~`. With the person's whole environment, git would read the pipe already here.
    ...(home === undefined ? {} : { environment: { HOME: home } }),
  })
  const records = read.code === 0 ? read.stdout.toString('utf8').split('\0') : []
  return records.flatMap((record) => record.split('\n').slice(1))
}
