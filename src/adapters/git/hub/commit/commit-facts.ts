import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { HubGit } from '../process/companions.ts'
import { isObjectId } from '../repository/object-id.ts'

export type CommitFacts = {
  readonly commit: string
  readonly tree: string
  /** Absent if a separate git process had to read the commit. */
  readonly parents?: readonly string[]
  /** The commit time in seconds since 1970, limited to what git can write. */
  readonly time: number
  readonly committer: string
}

/** Cuts an absurdly long address, which only has to be compared with our own. */
const FACTS_BYTES = 4096
const FACTS = /^([0-9a-f]+) ([0-9a-f]+) (-?\d*) (.*)$/
const LAST_TIME = 4_102_444_800
const COMMIT = /^([0-9a-f]+) commit \d+\n/
const TREE = /^tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)/
const PARENT = /[0-9a-f]{40,}/g
/** Matches only unambiguous lines. A separate git process reads all others. */
const COMMITTER = /^committer [^<>\n]*<([^<>\n]*)> (\d{1,10}) [+-]\d{4}$/m

/** Reads a commit through a companion. Undefined also if that isn't possible, for example for a very large commit. */
export async function askForCommit(
  { companions }: Pick<HubGit, 'companions'>,
  hub: string,
  commit: string,
): Promise<CommitFacts | undefined> {
  if (!isObjectId(commit)) return undefined
  return parseCommit(await companions.ask(hub, 'cat-file', `contents ${commit}\n`))
}

/** Undefined if the hub has no such commit. */
export async function findCommitFacts(
  needs: HubGit,
  hub: string,
  commit: string,
): Promise<Result<CommitFacts | undefined, GitFailure>> {
  const known = await askForCommit(needs, hub, commit)
  if (known !== undefined) return success(known)

  const logged = await needs.git({
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
  if (!logged.ok) return logged
  const [, id, tree, time, committer] = FACTS.exec(logged.value.stdout.toString('utf8').trimEnd()) ?? []
  if (logged.value.code !== 0 || id === undefined || tree === undefined) return success(undefined)
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
