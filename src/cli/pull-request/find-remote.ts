import { resolve } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findMovedRepository } from '../repository/moved-repository.ts'
import { type OwnGit, runOwnGit } from './own-git.ts'
import { parseRemoteAddress, type RemoteAddress } from './remote-address.ts'

export type Remote = {
  readonly name: string
  /** Where git pushes to. May contain a password. */
  readonly url: string
  readonly address?: RemoteAddress
}

const DEFAULT_REMOTE = 'origin'
const TIMEOUT_MS = 30_000

/** The remote that was named, or else `origin`, or else the only one. Git reads only its configuration for this. */
export async function findRemote(
  git: OwnGit,
  repositoryPath: string,
  named: string | undefined,
): Promise<Result<Remote, Problem>> {
  const moved = await findMovedRepository(repositoryPath)
  if (moved !== undefined) return failure(moved)
  const listed = await read(git, repositoryPath, ['remote'])
  if (!listed.ok) return failure(unreadable(repositoryPath, listed.failure))
  const names = listed.value.split('\n').filter((line) => line !== '')
  const only = names.length === 1 ? names[0] : undefined
  const name = named ?? (names.includes(DEFAULT_REMOTE) ? DEFAULT_REMOTE : only)
  if (name === undefined || !names.includes(name)) return failure(noRemote(repositoryPath, names, named))
  const url = await read(git, repositoryPath, ['remote', 'get-url', '--push', '--', name])
  if (!url.ok) return failure(unreadable(repositoryPath, url.failure))
  // The URL as it was written, before settings replace parts of it.
  const written = await read(git, repositoryPath, ['config', '--get', `remote.${name}.url`])
  const address =
    parseRemoteAddress(url.value) ?? (written.ok ? parseRemoteAddress(written.value) : undefined)
  return success({
    name,
    url: absolute(url.value, repositoryPath),
    ...(address === undefined ? {} : { address }),
  })
}

async function read(git: OwnGit, directory: string, parameters: readonly string[]) {
  const ran = await runOwnGit(git, directory, parameters, TIMEOUT_MS)
  if (!ran.ok) return ran
  const { code, stdout, stderr } = ran.value
  return code === 0 ? success(stdout.replace(/\n$/, '')) : failure(stderr.trim())
}

/** A path is relative to the repository, but git pushes from another directory. */
function absolute(url: string, repositoryPath: string): string {
  const isPath = !url.includes('://') && parseRemoteAddress(url) === undefined && !/^[^/]+:/.test(url)
  return isPath ? resolve(repositoryPath, url) : url
}

function noRemote(repositoryPath: string, names: readonly string[], named: string | undefined): Problem {
  const place = safeLine(repositoryPath)
  if (names.length === 0) {
    return {
      type: 'remote-missing',
      exitCode: EXIT.usage,
      message: `${place} has no remote to push to`,
      next: `git -C ${place} remote add origin <url>`,
    }
  }
  const known = names.map((name) => safeLine(name)).join(', ')
  return {
    type: 'remote-missing',
    exitCode: EXIT.usage,
    message:
      named === undefined
        ? `${place} has no remote called origin`
        : `${place} has no remote called ${safeLine(named)}`,
    why: `its remotes are: ${known}`,
    next: `muster pr --remote ${safeLine(names[0] ?? '')}`,
  }
}

function unreadable(repositoryPath: string, words: string): Problem {
  return {
    type: 'repository-unreadable',
    exitCode: EXIT.failed,
    message: `git could not read the remotes of ${safeLine(repositoryPath)}`,
    why: safeLine(words),
  }
}
