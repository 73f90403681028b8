import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { isObjectId } from '../repository/object-id.ts'

export type CommitFacts = {
  readonly commit: string
  readonly tree: string
  /** As the commit itself names them; absent when git had to be run to read it. */
  readonly parents?: readonly string[]
  /** When it was committed, in seconds since 1970, within what git can write again. */
  readonly time: number
  readonly committer: string
}

/** The rest of a name that is longer than any: only whether it is our own matters. */
const FACTS_BYTES = 4096
const FACTS = /^([0-9a-f]+) ([0-9a-f]+) (-?\d*) (.*)$/
const LAST_TIME = 4_102_444_800
const COMMIT = /^([0-9a-f]+) commit \d+\n/
const TREE = /^tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)/
const PARENT = /[0-9a-f]{40,}/g
/** Only what no git could read otherwise: anything odd is left to git. */
const COMMITTER = /^committer [^<>\n]*<([^<>\n]*)> (\d{1,10}) [+-]\d{4}$/m

/** The commit as the running git reads it; nothing also when that is not possible, as for a very large one. */
export async function askForCommit(
  { companions }: Pick<HubGit, 'companions'>,
  hub: string,
  commit: string,
): Promise<CommitFacts | undefined> {
  if (!isObjectId(commit)) return undefined
  return parseCommit(await companions.ask(hub, 'cat-file', `contents ${commit}\n`))
}

/** Nothing when `commit` names no commit of this hub. */
export async function findCommitFacts(
  needs: HubGit,
  hub: string,
  commit: string,
): Promise<Result<CommitFacts | undefined, GitFailure>> {
  const known = await askForCommit(needs, hub, commit)
  if (known !== undefined) return success(known)

  const said = await needs.git({
    directory: hub,
    arguments: [
      'log',
      '--max-count=1',
      '--no-decorate',
      '--format=%H %T %ct %ce',
      '--end-of-options',
      commit,
    ],
    cutAfterBytes: FACTS_BYTES,
  })
  if (!said.ok) return said
  const [, id, tree, time, committer] = FACTS.exec(said.value.stdout.toString('utf8').trimEnd()) ?? []
  if (said.value.code !== 0 || id === undefined || tree === undefined) return success(undefined)
  return success({ commit: id, tree, time: boundedTime(Number(time)), committer: committer ?? '' })
}

function parseCommit(answer: Buffer | undefined): CommitFacts | undefined {
  const text = answer?.toString('utf8') ?? ''
  const [line = '', commit] = COMMIT.exec(text) ?? []
  const header = text.slice(line.length).split('\n\n', 1)[0] ?? ''
  const [, tree, parents = ''] = TREE.exec(header) ?? []
  const [, committer, time] = COMMITTER.exec(header) ?? []
  if (commit === undefined || tree === undefined || committer === undefined) return undefined
  return { commit, tree, parents: parents.match(PARENT) ?? [], time: boundedTime(Number(time)), committer }
}

function boundedTime(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LAST_TIME) : 0
}
