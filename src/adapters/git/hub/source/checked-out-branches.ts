import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { gitText } from '../process/git-answer.ts'
import type { Git } from '../process/run-git.ts'

/** Files in which a checkout with a temporarily detached HEAD keeps the branch that it will return to. */
const RETURNS_TO = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']
const ABSENT = ignoreCodes('ENOENT', 'ENOTDIR')

/** The branches that checkouts of this repository use, by full ref name, each with the path of its checkout. */
export async function findCheckedOutBranches(
  needs: { readonly git: Git },
  commonDirectory: string,
): Promise<Result<ReadonlyMap<string, string>, GitFailure>> {
  const branches = new Map<string, string>()
  let checkout = commonDirectory
  const listed = await gitText(needs.git, {
    directory: commonDirectory,
    arguments: ['worktree', 'list', '--porcelain', '-z'],
    onRecord: (record) => {
      const text = record.toString('utf8')
      if (text.startsWith('worktree ')) checkout = text.slice('worktree '.length)
      if (text.startsWith('branch ')) branches.set(text.slice('branch '.length), checkout)
    },
  })
  if (!listed.ok) return listed
  for (const gitDirectory of await gitDirectoriesOf(commonDirectory)) {
    for (const ref of await branchesToReturnTo(gitDirectory)) {
      if (!branches.has(ref)) branches.set(ref, await checkoutOf(gitDirectory))
    }
  }
  return success(branches)
}

async function branchesToReturnTo(gitDirectory: string): Promise<readonly string[]> {
  const texts = await Promise.all(
    RETURNS_TO.map((name) => readFile(join(gitDirectory, name), 'utf8').catch(ABSENT)),
  )
  const names = texts.flatMap((text) => text?.trim() ?? [])
  return names.map((name) => (name.startsWith('refs/') ? name : `refs/heads/${name}`))
}

async function gitDirectoriesOf(commonDirectory: string): Promise<readonly string[]> {
  const linked = join(commonDirectory, 'worktrees')
  const names = (await readdir(linked).catch(ABSENT)) ?? []
  return [commonDirectory, ...names.map((name) => join(linked, name))]
}

async function checkoutOf(gitDirectory: string): Promise<string> {
  const pointer = (await readFile(join(gitDirectory, 'gitdir'), 'utf8').catch(ABSENT))?.trim()
  return dirname(pointer ?? gitDirectory)
}
