import { createHash } from 'node:crypto'
import type { CommitFacts } from '../commit/commit-facts.ts'
import { makeCommit } from '../commit/make-commit.ts'
import type { HubGit } from '../process/companions.ts'
import type { Git } from '../process/run-git.ts'
import { findMergeBase } from './find-merge-base.ts'

const TIMEOUT_MS = 30_000
/** On each side. */
const MOST_COMMITS = 200
const MOST_PATCH_BYTES = 8 * 1024 * 1024
const DIFF_OPTIONS = ['-r', '-p', '--root', '--no-commit-id', '--full-index', '--binary', '--unified=3']
const PLAIN_DIFF = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--diff-algorithm=myers']
const INDEX = /^index [0-9a-f]+\.\.[0-9a-f]+/
const HUNK = /^@@ .*$/
const BINARY = 'GIT binary patch'

/**
 * Whether other commits have already brought everything in `tip` to `onto`: either one commit with the same patch for
 * each commit of `tip`, or one commit for all of them. False in case of doubt, because a wrong yes would lose work.
 */
export async function hasSamePatches(
  needs: HubGit,
  hub: string,
  onto: string,
  tip: CommitFacts,
): Promise<boolean> {
  if (await isEachPicked(needs, hub, onto, tip.commit)) return true
  const base = await findMergeBase(needs, hub, onto, tip.commit)
  if (base === undefined) return false
  const { tree, time } = tip
  const squashed = await makeCommit(needs, hub, { tree, time, parents: [base], message: 'squashed' })
  return squashed.ok && (await isEachPicked(needs, hub, onto, squashed.value))
}

/** A merge never counts as picked, because no patch contains how its conflicts were resolved. */
async function isEachPicked(needs: HubGit, hub: string, onto: string, tip: string): Promise<boolean> {
  const ran = await needs.git({
    directory: hub,
    arguments: ['rev-list', '--right-only', '--cherry-mark', '--end-of-options', `${onto}...${tip}`],
    timeoutMs: TIMEOUT_MS,
  })
  if (!ran.ok || ran.value.code !== 0) return false
  const own = linesOf(ran.value.stdout)
  if (own.length === 0 || own.length > MOST_COMMITS) return false
  if (!own.every((line) => line.startsWith('='))) return false
  return await isEachTheSame(needs, hub, { onto, tip, own: own.map((line) => line.slice(1)) })
}

type Compared = { readonly onto: string; readonly tip: string; readonly own: readonly string[] }

/** Git ignores whitespace and modes when it compares patches. Here they count, or one of the two would be lost. */
async function isEachTheSame(needs: HubGit, hub: string, { onto, tip, own }: Compared): Promise<boolean> {
  const ran = await needs.git({
    directory: hub,
    arguments: ['rev-list', '--left-only', '--cherry-mark', '--end-of-options', `${onto}...${tip}`],
    timeoutMs: TIMEOUT_MS,
  })
  if (!ran.ok || ran.value.code !== 0) return false
  const marked = linesOf(ran.value.stdout).filter((line) => line.startsWith('='))
  const theirs = new Set<string | undefined>()
  for (const line of marked.slice(0, MOST_COMMITS)) {
    theirs.add(await patchDigest(needs.git, hub, line.slice(1)))
  }
  for (const commit of own) {
    const digest = await patchDigest(needs.git, hub, commit)
    if (digest === undefined || !theirs.has(digest)) return false
  }
  return true
}

function linesOf(output: Buffer): readonly string[] {
  return output
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
}

/**
 * A digest of everything a commit changes, except where in its files: modes, names, and lines with their whitespace.
 * Undefined if the patch is empty or too large to compare.
 */
async function patchDigest(git: Git, hub: string, commit: string): Promise<string | undefined> {
  const ran = await git({
    directory: hub,
    arguments: ['diff-tree', ...DIFF_OPTIONS, ...PLAIN_DIFF, '--end-of-options', commit],
    cutAfterBytes: MOST_PATCH_BYTES,
    timeoutMs: TIMEOUT_MS,
  })
  if (!ran.ok || ran.value.code !== 0 || ran.value.isCut || ran.value.stdout.length === 0) return undefined
  const lines = ran.value.stdout.toString('latin1').split('\n')
  const digest = createHash('sha256')
  for (const [at, line] of lines.entries()) digest.update(`${patchLine(line, lines[at + 1])}\n`, 'latin1')
  return digest.digest('hex')
}

/** A line of a file starts with a sign, so it can't be mistaken for a header. */
function patchLine(line: string, next: string | undefined): string {
  // A binary patch means nothing without the file that it applies to.
  if (line.startsWith('index ')) return next === BINARY ? line : line.replace(INDEX, 'index')
  return line.startsWith('@@ ') ? line.replace(HUNK, '@@') : line
}
