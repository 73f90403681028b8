import { type Result, success } from '../../../domain/result.ts'
import type { GitFailure } from '../../../ports/hub.ts'
import type { Git } from './run-git.ts'

export type CommitFacts = {
  readonly commit: string
  readonly tree: string
  /** When it was committed, in seconds since 1970, within what git can write again. */
  readonly time: number
  readonly committer: string
}

const FACTS = /^([0-9a-f]+) ([0-9a-f]+) (-?\d*) (.*)$/
const LAST_TIME = 4_102_444_800

/** Nothing when `commit` names no commit of this repository. */
export async function findCommitFacts(
  needs: { readonly git: Git },
  directory: string,
  commit: string,
): Promise<Result<CommitFacts | undefined, GitFailure>> {
  const said = await needs.git({
    directory,
    arguments: [
      'log',
      '--max-count=1',
      '--no-decorate',
      '--format=%H %T %ct %ce',
      '--end-of-options',
      commit,
    ],
  })
  if (!said.ok) return said
  const [, id, tree, time, committer] = FACTS.exec(said.value.stdout.toString('utf8').trimEnd()) ?? []
  if (said.value.code !== 0 || id === undefined || tree === undefined) return success(undefined)
  return success({ commit: id, tree, time: boundedTime(Number(time)), committer: committer ?? '' })
}

export function boundedTime(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LAST_TIME) : 0
}
