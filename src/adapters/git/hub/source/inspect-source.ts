import { join } from 'node:path'
import type { RepositoryMoved, SourceFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { SourceRepository } from '../../../../ports/branches.ts'
import { gitFailed } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'
import { type FoundRepository, findRepository, findRepositoryAt } from './find-repository.ts'
import { findSettingsPipe, pipeWords } from './find-settings-pipe.ts'

const HEAD_ID = /^([0-9a-f]+)\tHEAD$/m
const HEAD_BRANCH = /^ref: refs\/heads\/(.+)\tHEAD$/m

/** Queries the repository through upload-pack, as another machine would. Upload-pack doesn't read the checkout. */
export async function inspectSource(
  needs: { readonly git: Git },
  path: string,
): Promise<Result<SourceRepository, SourceFailure>> {
  const found = await findRepository(path)
  return found.ok ? await inspectFound(needs, found.value) : found
}

/** The same for the repository of an earlier job, which must be at the path itself. */
export async function reopenSource(
  needs: { readonly git: Git },
  path: string,
): Promise<Result<SourceRepository, SourceFailure | RepositoryMoved>> {
  const found = await findRepositoryAt(path)
  return found.ok ? await inspectFound(needs, found.value) : found
}

async function inspectFound(
  needs: { readonly git: Git },
  { root, isBare, commonDirectory, gitDirectory }: FoundRepository,
): Promise<Result<SourceRepository, SourceFailure>> {
  const settings = [join(commonDirectory, 'config'), join(gitDirectory, 'config.worktree')]
  const pipe = await findSettingsPipe(needs.git, settings)
  if (pipe !== undefined) {
    return failure({ type: 'repository-unreadable', path: root, problem: pipeWords(pipe) })
  }
  const listed = await needs.git({
    arguments: ['ls-remote', '--quiet', '--symref', '--end-of-options', root, 'HEAD'],
  })
  if (!listed.ok) return listed
  if (listed.value.code !== 0) {
    const { problem } = gitFailed(listed.value)
    return failure({ type: 'repository-unreadable', path: root, problem })
  }

  const text = listed.value.stdout.toString('utf8')
  const commit = HEAD_ID.exec(text)?.[1]
  if (commit === undefined) return failure({ type: 'no-commits', path: root })
  const branch = HEAD_BRANCH.exec(text)?.[1]
  return success({ path: root, isBare, head: branch === undefined ? { commit } : { commit, branch } })
}
