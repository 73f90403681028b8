import type { TaskDraft } from '../task/task.ts'
import { doPathsMeet, isPattern, normalisedPath } from './path-pattern.ts'

/** Numbers, from 1, of two drafts that are likely to touch the same files; the lower one first. */
export type Coupling = readonly [number, number]

/** A draft that names more files than this doesn't say where its work is. */
const MAX_FILES = 40
const MAX_PATTERNS = 5
/** With at least this many drafts, a file that more than half of them name is one that everyone touches in passing. */
const MANY_DRAFTS = 6

/** The pairs of drafts that will probably touch the same files, by the paths, directories and patterns they name. */
export function predictedOverlap(drafts: readonly Pick<TaskDraft, 'files'>[]): readonly Coupling[] {
  const paths = withoutCommonPaths(drafts.map(pathsOf))
  return paths.flatMap((own, index) =>
    paths.slice(index + 1).flatMap((others, offset): readonly Coupling[] => {
      const meet = own.some((path) => others.some((other) => doPathsMeet(path, other)))
      return meet ? [[index + 1, index + offset + 2]] : []
    }),
  )
}

function pathsOf({ files }: Pick<TaskDraft, 'files'>): readonly string[] {
  const paths = [...new Set(files.slice(0, MAX_FILES).map(normalisedPath))]
  const patterns = paths.filter((path) => isPattern(path) && path !== '*' && path !== '**')
  return [...paths.filter((path) => path !== '' && !isPattern(path)), ...patterns.slice(0, MAX_PATTERNS)]
}

function withoutCommonPaths(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (lists.length < MANY_DRAFTS) return lists
  const counts = new Map<string, number>()
  for (const path of lists.flat()) counts.set(path, (counts.get(path) ?? 0) + 1)
  return lists.map((paths) => paths.filter((path) => (counts.get(path) ?? 0) * 2 <= lists.length))
}
