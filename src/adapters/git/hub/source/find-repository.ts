import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { RepositoryMoved, SourceFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'

export type FoundRepository = {
  readonly root: string
  readonly isBare: boolean
  readonly gitDirectory: string
  /** Where refs and objects are. Differs from the git directory in a linked worktree. */
  readonly commonDirectory: string
}

const ABSENT = ignoreCodes('ENOENT', 'ENOTDIR')

/** Looks for a repository from `path` upwards, as git does, without running git. */
export async function findRepository(path: string): Promise<Result<FoundRepository, SourceFailure>> {
  try {
    const start = await realpath(path)
    for (let at = start; ; at = dirname(at)) {
      const found = await repositoryAt(at)
      if (found !== undefined) return success(found)
      if (at === dirname(at)) return failure({ type: 'not-a-repository', path })
    }
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT' || code === 'ENOTDIR') return failure({ type: 'path-missing', path })
    return failure({ type: 'repository-unreadable', path, problem: String(error) })
  }
}

/**
 * The repository that was found at this path before. It isn't looked for in the folders above, where there may be
 * another one. A link to its new place will do.
 */
export async function findRepositoryAt(
  path: string,
): Promise<Result<FoundRepository, SourceFailure | RepositoryMoved>> {
  try {
    const found = await repositoryAt(await realpath(path))
    return found === undefined ? failure({ type: 'repository-moved', path }) : success(found)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT' || code === 'ENOTDIR') return failure({ type: 'repository-moved', path })
    return failure({ type: 'repository-unreadable', path, problem: String(error) })
  }
}

async function repositoryAt(path: string): Promise<FoundRepository | undefined> {
  const inner = await gitDirectoryOf(path)
  if (inner !== undefined && (await isGitDirectory(inner))) {
    return { root: path, isBare: false, gitDirectory: inner, commonDirectory: await commonOf(inner) }
  }
  if (basename(path) === '.git' || !(await isGitDirectory(path))) return undefined
  return { root: path, isBare: true, gitDirectory: path, commonDirectory: await commonOf(path) }
}

/** `.git` itself or, in linked worktrees and submodules, the directory that it points to. */
async function gitDirectoryOf(root: string): Promise<string | undefined> {
  const path = join(root, '.git')
  const seen = await stat(path).catch(ABSENT)
  if (seen?.isDirectory()) return path
  if (!seen?.isFile()) return undefined
  const target = /^gitdir: ([^\n]+)\n?$/.exec(await readFile(path, 'utf8'))?.[1]
  return target === undefined ? undefined : resolve(root, target)
}

async function isGitDirectory(path: string): Promise<boolean> {
  const common = await commonOf(path)
  const [head, objects, refs] = await Promise.all([
    stat(join(path, 'HEAD')).catch(ABSENT),
    stat(join(common, 'objects')).catch(ABSENT),
    stat(join(common, 'refs')).catch(ABSENT),
  ])
  return head?.isFile() === true && objects?.isDirectory() === true && refs?.isDirectory() === true
}

async function commonOf(gitDirectory: string): Promise<string> {
  const text = await readFile(join(gitDirectory, 'commondir'), 'utf8').catch(ABSENT)
  return text === undefined ? gitDirectory : resolve(gitDirectory, text.trimEnd())
}
