import { normalisedPath } from './path-pattern.ts'

/** The parts of a task that are compared. */
export type DescribedWork = { readonly description: string; readonly files: readonly string[] }

/** The same, split once for many comparisons. */
export type WorkFeatures = {
  readonly text: string
  readonly words: ReadonlySet<string>
  /** What must match exactly. */
  readonly distinctive: ReadonlySet<string>
  readonly directions: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

const LIKE_ENOUGH = 0.85
/** With fewer words than this, two descriptions are the same work only if their text is the same. */
const MIN_WORDS = 4
const STOP_WORDS = new Set(
  (
    'a an the this that these those it its is are be been being was were of for and as so which when where there ' +
    'then also please should must shall will can has have do does'
  ).split(' '),
)
/** After these, word order matters: from A to B is not from B to A. */
const DIRECTIONS = new Set(
  'to from into onto by with in on at before after than over under instead'.split(' '),
)
/** Small words that reverse the meaning. */
const LIMITS = /^(?:not?|none|never|without|except|unless|only|un?til|cannot|\p{L}+n['’]t)$/u
const CODE = /`([^`]+)`|"([^"]+)"/g
/** Contains a digit, or a mark or capital inside the word: a number, a path, or an identifier. */
const TELLING = /\d|[^\s\p{L}'’-]|\p{Ll}\p{Lu}|^\p{Lu}{2,}/u

/**
 * Whether two descriptions ask for the same work: the same text, or the same words in another order. It's better to do
 * something twice than never, so any difference in a number, name, path or direction counts, and so does one word in
 * place of another.
 */
export function isSameWork(one: WorkFeatures, other: WorkFeatures): boolean {
  if (one.text === other.text) return true
  const [few, many] = one.words.size < other.words.size ? [one, other] : [other, one]
  // One contains the other, so the smaller set is the intersection and the larger the union.
  const likeness = few.words.size / many.words.size
  if (few.words.size < MIN_WORDS || likeness < LIKE_ENOUGH || !isWithin(few.words, many.words)) return false
  if (!areEqual(one.distinctive, other.distinctive) || !areEqual(one.directions, other.directions))
    return false
  // A task that names no files may touch any. Otherwise one list must contain the other.
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
    distinctive: new Set([...distinctiveParts(description), ...words.filter((word) => LIMITS.test(word))]),
    directions: new Set(directions),
    files: new Set(files.map(normalisedPath)),
  }
}

/** Quoted text, code, numbers, paths and names. */
function distinctiveParts(description: string): readonly string[] {
  const text = description.normalize('NFKC')
  const quoted = [...text.matchAll(CODE)].map((match) => (match[1] ?? match[2] ?? '').trim())
  const rest = text.replaceAll(CODE, ' ').split(/\s+/)
  const bare = rest.map((word) => word.replaceAll(/^[("'[{*_]+|[)"'\]}*_.,;:!?…]+$/g, ''))
  return [...quoted, ...bare.filter((word) => TELLING.test(word))]
}

/** Good enough to recognise a plural. */
function singular(word: string): string {
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

function areEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && isWithin(one, other)
}

function isWithin(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((item) => other.has(item))
}

const OPENING_MARKS = /^["'`*_([{]+/
const CLOSING_MARKS = /["'`*_()[\]{}.,;:!?…]+$/
const DASHES = /^[-–—•]+$/

/**
 * The form in which two descriptions of the same work are equal. Case, white space and the punctuation around words
 * don't count. Marks inside or in front of a word do (`a.ts`, `-1`, `C#`), because they change what is asked.
 */
export function normalisedDescription(description: string): string {
  const words = description.normalize('NFKC').toLowerCase().split(/\s+/)
  const bare = words
    .map((word) => (DASHES.test(word) ? '' : word.replace(OPENING_MARKS, '').replace(CLOSING_MARKS, '')))
    .filter((word) => word !== '')
    .join(' ')
  return bare === '' ? description.trim() : bare
}
