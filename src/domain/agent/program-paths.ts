/**
 * Where a program of this name may be, in the order of a PATH. A relative entry would mean the directory that the
 * program runs in, and a repository or an agent's tree must not supply programs, so relative entries don't count.
 */
export function programPaths(name: string, searchPath: string): readonly string[] {
  return searchPath
    .split(':')
    .filter((directory) => directory.startsWith('/'))
    .map((directory) => `${directory.replace(/\/+$/, '')}/${name}`)
}
