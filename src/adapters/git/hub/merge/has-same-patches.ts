import type { CommitFacts } from '../commit/commit-facts.ts'
import { makeCommit } from '../commit/make-commit.ts'
import type { HubGit } from '../process/companions.ts'
import { findMergeBase } from './find-merge-base.ts'
import { patchDigest } from './same-patch.ts'

const TIMEOUT_MS = 30_000
/** On each side. */
const MOST_COMMITS = 200

/**
 * Whether all that `tip` brings was brought to `onto` by other commits: each of its own by one with the same
 * patch, or all of it by one. Whatever cannot be told is no: a wrong yes would lose work.
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
  const squashed = await makeCommit(needs, hub, { tree, time, parents: [base], message: 'all of it' })
  return squashed.ok && (await isEachPicked(needs, hub, onto, squashed.value))
}

/** Merges are never equal to anything: what somebody resolved in one is in no patch. */
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

/** Git takes patches for the same that differ in blanks or in modes. They are not: one of the two would be lost. */
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
