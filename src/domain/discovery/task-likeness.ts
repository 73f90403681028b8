import { normalisedDescription } from './normalised-description.ts'
import { normalisedPath } from './normalised-path.ts'

/** What is compared of a task. */
export type DescribedWork = { readonly description: string; readonly files: readonly string[] }

/** The same, taken apart once for many comparisons. */
export type WorkFeatures = {
  readonly text: string
  readonly words: ReadonlySet<string>
  /** What must be the same to the letter. */
  readonly telling: ReadonlySet<string>
  readonly directions: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

const LIKE_ENOUGH = 0.85
/** Fewer words say too little: two short descriptions are the same work only when they are the same text. */
const MIN_WORDS = 4
const STOP_WORDS = new Set(
  (
    'a an the this that these those it its is are be been being was were of for and as so which when where there ' +
    'then also please should must shall will can has have do does'
  ).split(' '),
)
/** After these, the order of words is meaning: from A to B is not from B to A. */
const DIRECTIONS = new Set(
  'to from into onto by with in on at before after than over under instead'.split(' '),
)
/** Small words that turn the meaning around. */
const LIMITS = /^(?:not?|none|never|without|except|unless|only|un?til|cannot|\p{L}+n['’]t)$/u
const CODE = /`([^`]+)`|"([^"]+)"/g
/** Has a digit, or a mark or capital inside of it: a number, a path, or a name in a program. */
const TELLING = /\d|[^\s\p{L}'’-]|\p{Ll}\p{Lu}|^\p{Lu}{2,}/u

/**
 * Whether two descriptions ask for the same work: the same text, or the same words in another order. It would
 * rather have something done twice than never: a difference in a number, a name, a path or a direction counts, and
 * so does one word that stands in the place of another.
 */
export function isSameWork(one: WorkFeatures, other: WorkFeatures): boolean {
  if (one.text === other.text) return true
  const [few, many] = one.words.size < other.words.size ? [one, other] : [other, one]
  // One holds the other, so what they share is the smaller and what they have together the larger.
  const likeness = few.words.size / many.words.size
  if (few.words.size < MIN_WORDS || likeness < LIKE_ENOUGH || !isWithin(few.words, many.words)) return false
  if (!areEqual(one.telling, other.telling) || !areEqual(one.directions, other.directions)) return false
  // A task that names no files may touch any; else one list must hold the other.
  return isWithin(one.files, other.files) || isWithin(other.files, one.files)
}

export function featuresOf({ description, files }: DescribedWork): WorkFeatures {
  const text = normalisedDescription(description)
  const words = text.split(' ')
  const isContent = (word: string): boolean => !STOP_WORDS.has(word) && !DIRECTIONS.has(word)
  const directions = words.flatMap((word, index) => {
    const target = DIRECTIONS.has(word) ? words.slice(index + 1, index + 10).find(isContent) : undefined
    return target === undefined ? [] : [`${word} ${singular(target)}`]
  })
  return {
    text,
    words: new Set(words.filter(isContent).map(singular)),
    telling: new Set([...tellingParts(description), ...words.filter((word) => LIMITS.test(word))]),
    directions: new Set(directions),
    files: new Set(files.map(normalisedPath)),
  }
}

/** What is quoted or in code font, numbers, paths, names. */
function tellingParts(description: string): readonly string[] {
  const text = description.normalize('NFKC')
  const quoted = [...text.matchAll(CODE)].map((match) => (match[1] ?? match[2] ?? '').trim())
  const rest = text.replaceAll(CODE, ' ').split(/\s+/)
  const bare = rest.map((word) => word.replaceAll(/^[("'[{*_]+|[)"'\]}*_.,;:!?…]+$/g, ''))
  return [...quoted, ...bare.filter((word) => TELLING.test(word))]
}

/** Good enough for telling a plural from another word. */
function singular(word: string): string {
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

function areEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && isWithin(one, other)
}

function isWithin(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((item) => other.has(item))
}
