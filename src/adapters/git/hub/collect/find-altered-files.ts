import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { Git } from '../process/run-git.ts'
import { openScratch } from '../repository/scratch.ts'
import { fillIndex } from './fill-index.ts'
import { removeSpecial, surveyTree } from './special-files.ts'

const LISTED = 20

/** The files of a commit that were changed or removed in a tree. Added files are left out. */
export async function findAlteredFiles(
  needs: { readonly git: Git },
  hub: string,
  directory: string,
  commit: string,
): Promise<Result<readonly string[], GitFailure>> {
  const { special, count } = await surveyTree(directory)
  await removeSpecial(directory, special)
  await using scratch = await openScratch(hub)
  const filled = await fillIndex(needs, {
    hub,
    scratch: scratch.path,
    directory,
    base: commit,
    tip: commit,
    count,
    purpose: 'look',
  })
  return filled.ok ? success(filled.value.changed.slice(0, LISTED)) : filled
}
