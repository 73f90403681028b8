import type { CommitFacts } from './commit-facts.ts'
import type { HubGit } from './companions.ts'
import { findMergeBase } from './find-merge-base.ts'
import { makeCommit } from './make-commit.ts'

const TIMEOUT_MS = 30_000

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
  const own = ran.value.stdout.toString('utf8').trimEnd()
  return own !== '' && own.split('\n').every((line) => line.startsWith('='))
}
