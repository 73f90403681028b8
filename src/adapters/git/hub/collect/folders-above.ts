/** The folders above a path, outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
