const MAX_PATH = 300
const LINE_NUMBERS = /:\d+(?:[-:]\d+)*$/

/** The form in which two ways to write one path in a repository are equal; empty when it names nothing in it. */
export function normalisedPath(path: string): string {
  const parts: string[] = []
  const bare = path
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(LINE_NUMBERS, '')
  for (const part of bare.slice(0, MAX_PATH).replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
