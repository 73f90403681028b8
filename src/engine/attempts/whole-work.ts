import type { ProjectId } from '../../domain/id.ts'
import { type AskedWork, findUnusual, type WorkSize } from '../../domain/landing/unusual-work.ts'
import type { WorkChanges } from '../../domain/task/work-changes.ts'
import type { UsableWork } from '../../ports/working-trees.ts'
import type { EngineNeeds, EngineSettings } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'history'>

/** An attempt's work, together with the earlier work that it continued. */
export type WholeWork = {
  readonly files: readonly string[]
  readonly commits: readonly string[]
  /** Whether this attempt changed anything, and the whole work still changes anything. */
  readonly hasChanged: boolean
  /** Undefined if it could not be measured. */
  readonly size: WorkSize | undefined
}

/** What earlier attempts left that this one continued. */
export type EarlierWork = { readonly files: readonly string[]; readonly commits: readonly string[] }

/** Measures an attempt's work from the commit that the whole work started from. */
export async function wholeWork(
  needs: Needs,
  projectId: ProjectId,
  from: string,
  collected: UsableWork,
  earlier?: EarlierWork,
): Promise<WholeWork> {
  const { tip } = collected
  const measured = await needs.history.measure(projectId, from, tip)
  const size = measured.ok ? measured.value : undefined
  const hasChanged = collected.files.length > 0
  if (earlier === undefined) {
    return { files: collected.files, commits: collected.commits, hasChanged, size }
  }
  const diff = await needs.history.diff(projectId, from, tip, 0)
  // If the diff is too large to compute, both lists together name at least as many files.
  const files = diff.ok
    ? diff.value.files.map(({ path }) => path)
    : [...new Set([...earlier.files, ...collected.files])]
  const kept = await keptCommits(needs, projectId, earlier, tip)
  return {
    files,
    commits: [...new Set([...kept, ...collected.commits])],
    hasChanged: hasChanged && files.length > 0,
    size,
  }
}

/** The commits of earlier attempts, without those that this one rewrote. */
async function keptCommits(
  needs: Needs,
  projectId: ProjectId,
  { commits }: EarlierWork,
  tip: string,
): Promise<readonly string[]> {
  const last = commits.at(-1)
  if (last === undefined || (await needs.history.isAncestor(projectId, last, tip))) return commits
  const kept: string[] = []
  for (const commit of commits) {
    if (!(await needs.history.isAncestor(projectId, commit, tip))) break
    kept.push(commit)
  }
  return kept
}

/** How much the work changes, and what is unusual about it. Work that can't be measured must be seen by a person. */
export function changesOf(
  { settings }: { readonly settings: Pick<EngineSettings, 'usualWork'> },
  asked: AskedWork,
  { size, files }: Pick<WholeWork, 'size' | 'files'>,
): WorkChanges {
  if (size === undefined) {
    return {
      files: files.length,
      added: 0,
      removed: 0,
      unusual: ['git could not measure how much it changes'],
    }
  }
  const unusual = findUnusual(size, settings.usualWork, asked)
  return { files: size.files, added: size.added, removed: size.removed, unusual }
}
