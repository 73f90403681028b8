import { type Environment, REMARK_MS, runGit } from './run-git.ts'

/** The moment when a branch got a commit, and where the branch was then. */
export type FoundMerge = { readonly commit: string; readonly at: Date }

type Entry = { readonly commit: string; readonly at: string }

/**
 * Finds out from the branch's reflog when a commit came into it, whoever merged it and in whatever way. Undefined if
 * the repository isn't on this machine, has no reflog, or has forgotten it.
 */
export async function findMerge(
  environment: Environment,
  directory: string,
  branch: string,
  commit: string,
): Promise<FoundMerge | undefined> {
  const ref = `refs/heads/${branch}`
  const log = ['reflog', 'show', '--format=%H %gd', '--date=iso-strict', '--end-of-options', ref]
  const later = ['rev-list', '--ancestry-path', '--end-of-options', `${commit}..${ref}`]
  const [moves, descendants] = await Promise.all([
    runGit(environment, directory, log, REMARK_MS),
    runGit(environment, directory, later, REMARK_MS),
  ])
  if (!moves.ok || !descendants.ok) return undefined
  const containing = new Set([commit, ...descendants.value.split('\n')])
  const entries = entriesOf(moves.value)
  const first = entries.findLast((entry) => containing.has(entry.commit))
  // The oldest entry doesn't show whether the branch had the commit before.
  if (first === undefined || first === entries.at(-1)) return undefined
  const at = new Date(first.at)
  return Number.isNaN(at.getTime()) ? undefined : { commit: first.commit, at }
}

/** The newest move comes first: `<commit> main@{2026-01-02T03:04:05+00:00}`. */
function entriesOf(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line) => {
    const [, commit, at] = /^([0-9a-f]+) .*@\{(.*)\}$/.exec(line) ?? []
    return commit === undefined || at === undefined ? [] : [{ commit, at }]
  })
}
