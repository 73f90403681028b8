const MAX_PATTERN_PARTS = 16
const MAX_PATTERN_PART = 64

/**
 * Whether two normalised paths may name the same file: they are equal, one is a directory above the other, or one
 * is a pattern (`*`, `?`, `**`) that allows it.
 */
export function doPathsMeet(one: string, other: string): boolean {
  if (!isPattern(one) && !isPattern(other)) {
    return one === other || isBelow(one, other) || isBelow(other, one)
  }
  return doSequencesMeet(partsOf(one), partsOf(other), {
    star: '**',
    meets: doPartsMeet,
    isOneOpen: mayBeDirectory(one),
    isOtherOpen: mayBeDirectory(other),
  })
}

/** Judged by its name: a path with an extension is a file, so nothing is below it. */
function mayBeDirectory(path: string): boolean {
  return !/[^/.][^/]*\.[^/.]+$/.test(path)
}

export function isPattern(path: string): boolean {
  return path.includes('*') || path.includes('?')
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory) && path[directory.length] === '/'
}

/** Only the beginning of a long pattern counts, so it may match more than it says. */
function partsOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part, index, all) => part !== '**' || all[index - 1] !== '**')
  return parts.slice(0, MAX_PATTERN_PARTS).map((part) => part.slice(0, MAX_PATTERN_PART))
}

function doPartsMeet(one: string, other: string): boolean {
  if (!isPattern(one) && !isPattern(other)) return one === other
  const meets = (first: string, second: string): boolean =>
    first === second || first === '?' || second === '?'
  return doSequencesMeet([...one], [...other], { star: '*', meets, isOneOpen: false, isOtherOpen: false })
}

type Rule = {
  /** The item that matches any number of items. */
  readonly star: string
  readonly meets: (one: string, other: string) => boolean
  /** Whether one may end where the other continues. */
  readonly isOneOpen: boolean
  readonly isOtherOpen: boolean
}

/** Whether some sequence matches both patterns. Visits every pair of positions once. */
function doSequencesMeet(one: readonly string[], other: readonly string[], rule: Rule): boolean {
  const known = new Map<number, boolean>()
  const meetFrom = (i: number, j: number): boolean => {
    const place = i * (other.length + 1) + j
    const seen = known.get(place)
    if (seen !== undefined) return seen
    const answer = decide(i, j)
    known.set(place, answer)
    return answer
  }
  const decide = (i: number, j: number): boolean => {
    const [first, second] = [one[i], other[j]]
    if (first === rule.star || second === rule.star) {
      return (first !== undefined && meetFrom(i + 1, j)) || (second !== undefined && meetFrom(i, j + 1))
    }
    if (first === undefined) return second === undefined || rule.isOneOpen
    if (second === undefined) return rule.isOtherOpen
    return rule.meets(first, second) && meetFrom(i + 1, j + 1)
  }
  return meetFrom(0, 0)
}

const MAX_PATH = 300
const LINE_NUMBERS = /:\d+(?:[-:]\d+)*$/

/** A canonical form for a path in a repository; empty if it names nothing in the repository. */
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
