import { normalisedDescription } from './normalised-description.ts'
import { normalisedPath } from './normalised-path.ts'

/** What is compared of a task. */
export type DescribedWork = { readonly description: string; readonly files: readonly string[] }

const LIKE_ENOUGH = 0.85
/** Fewer words say too little: two short descriptions are the same work only when they are the same text. */
const MIN_WORDS = 4
const STOP_WORDS = new Set(
  (
    'a an the this that these those it its is are be been being was were of to in on at by for from with into onto ' +
    'and as so which when where there then also please should must shall will can has have do does'
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
export function isSameWork(one: DescribedWork, other: DescribedWork): boolean {
  if (normalisedDescription(one.description) === normalisedDescription(other.description)) return true
  if (!areCompatible(one.files, other.files)) return false
  const [first, second] = [featuresOf(one.description), featuresOf(other.description)]
  if (Math.min(first.words.size, second.words.size) < MIN_WORDS) return false
  if (!areEqual(first.telling, second.telling) || !areEqual(first.directions, second.directions)) return false
  const shared = [...first.words].filter((word) => second.words.has(word)).length
  const hasReplacement = shared < first.words.size && shared < second.words.size
  return !hasReplacement && shared / (first.words.size + second.words.size - shared) >= LIKE_ENOUGH
}

type Features = {
  readonly words: ReadonlySet<string>
  readonly telling: ReadonlySet<string>
  readonly directions: ReadonlySet<string>
}

function featuresOf(description: string): Features {
  const words = normalisedDescription(description).split(' ')
  const isContent = (word: string): boolean => !STOP_WORDS.has(word) && !DIRECTIONS.has(word)
  const directions = words.flatMap((word, index) => {
    const target = DIRECTIONS.has(word) ? words.slice(index + 1).find(isContent) : undefined
    return target === undefined ? [] : [`${word} ${singular(target)}`]
  })
  return {
    words: new Set(words.filter(isContent).map(singular)),
    telling: new Set([...tellingParts(description), ...words.filter((word) => LIMITS.test(word))]),
    directions: new Set(directions),
  }
}

/** What must be the same to the letter: what is quoted or in code font, numbers, paths, names. */
function tellingParts(description: string): ReadonlySet<string> {
  const text = description.normalize('NFKC')
  const quoted = [...text.matchAll(CODE)].map((match) => (match[1] ?? match[2] ?? '').trim())
  const rest = text.replaceAll(CODE, ' ').split(/\s+/)
  const bare = rest.map((word) => word.replaceAll(/^[("'[{*_]+|[)"'\]}*_.,;:!?…]+$/g, ''))
  return new Set([...quoted, ...bare.filter((word) => TELLING.test(word))])
}

/** Good enough for telling a plural from another word. */
function singular(word: string): string {
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

/** A task that names no files may touch any; else one list must hold the other. */
function areCompatible(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one.map(normalisedPath)), new Set(other.map(normalisedPath))]
  const shared = [...first].filter((path) => second.has(path)).length
  return shared === Math.min(first.size, second.size)
}

function areEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((item) => other.has(item))
}
