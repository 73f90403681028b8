import type { TreeDiff } from '../../../ports/history.ts'

/** A diff without one file. Undefined if it has no such file, or if the file was renamed, which concerns another one. */
export function withoutFile(diff: TreeDiff, path: string): TreeDiff | undefined {
  const change = diff.files.find((file) => file.path === path)
  if (change === undefined || change.from !== undefined) return undefined
  const heading = `diff --git a/${path} b/${path}\n`
  // Every line of a file's content has a mark before it, so a line that starts like this begins the next file.
  const parts = diff.patch.split(/^(?=diff --git )/m).filter((part) => !part.startsWith(heading))
  return { ...diff, files: diff.files.filter((file) => file !== change), patch: parts.join('') }
}
