/** Whether a path is a directory or lies in it. Both are absolute and without `..`. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
}
