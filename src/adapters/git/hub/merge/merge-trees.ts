import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { gitFailed } from '../process/git-answer.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import { isObjectId } from '../repository/object-id.ts'

const MOST_PATHS = 10_000

export type MergedTree =
  | { readonly type: 'clean'; readonly tree: string }
  /** Each path once, sorted. Only the first of very many. */
  | { readonly type: 'conflict'; readonly paths: readonly string[] }

/** Merges two commits without a checkout. */
export async function mergeTrees(
  needs: HubGit,
  hub: string,
  onto: string,
  tip: string,
): Promise<Result<MergedTree, GitFailure>> {
  const answer = await needs.companions.ask(hub, 'merge-tree', `${onto} ${tip}\n`)
  const known = answer === undefined ? undefined : parseAnswer(answer)
  if (known !== undefined) return success(known)

  const records: string[] = []
  const options = ['--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories']
  const ran = await needs.git({
    directory: hub,
    arguments: ['merge-tree', ...options, '--end-of-options', onto, tip],
    onRecord: (record) => {
      records.push(record.toString('utf8'))
      return records.length > MOST_PATHS ? 'enough' : undefined
    },
    cutRecordsAt: LISTED_PATH_BYTES,
  })
  if (!ran.ok) return ran
  const [tree = '', ...paths] = records
  const isClean = ran.value.code === 0 && !ran.value.isCut
  const merged = ran.value.code > 1 ? undefined : mergedTree(isClean, tree, paths)
  // Exit status 1 with a tree is a conflict. Without a tree, git could not start to merge.
  return merged === undefined ? failure(gitFailed(ran.value)) : success(merged)
}

function parseAnswer(answer: Buffer): MergedTree | undefined {
  const [status, tree = '', ...paths] = answer.toString('utf8').split('\0')
  return status === '0' || status === '1' ? mergedTree(status === '1', tree, paths) : undefined
}

function mergedTree(isClean: boolean, tree: string, paths: readonly string[]): MergedTree | undefined {
  if (!isObjectId(tree)) return undefined
  if (isClean) return { type: 'clean', tree }
  return { type: 'conflict', paths: [...new Set(paths.filter((path) => path !== ''))].sort() }
}
