import { ID_KINDS, ID_TIME_DIGITS, type IdKind, idPrefix, kindOfId } from './id.ts'

/** The kinds of records that people name in commands. */
export const NAMED_KINDS = [
  'project',
  'job',
  'task',
  'attempt',
  'session',
  'landing',
  'run',
  'approval',
  'approval-rule',
  'message',
] as const satisfies readonly IdKind[]

export type NamedKind = (typeof NAMED_KINDS)[number]

/** For each kind, how many random characters tell all its records apart. */
export type IdLengths = Readonly<Record<NamedKind, number>>

/** Shorter ones would soon be ambiguous, and would look like words. */
export const LEAST_SHORT_ID = 4

/** Enough for records that no command takes, such as candidates. */
const UNNAMED_LENGTH = 6

const PREFIXES = ID_KINDS.map(idPrefix).join('|')
const ESCAPE = String.fromCharCode(0x1b)
/** A whole id in a text, also after a colour. An id in a path or in the name of a branch belongs to that name. */
const ID_IN_TEXT = new RegExp(
  `(?<=^|${ESCAPE}\\[[0-9;]*m|[^\\w/.-])(?:${PREFIXES})_[0-9a-z]{20}(?![\\w/-]|\\.\\w)`,
  'gm',
)

/** The random characters of an id. Ids of one day start alike, so only these tell them apart at a glance. */
export function randomPart(id: string): string {
  return id.slice(id.indexOf('_') + 1 + ID_TIME_DIGITS)
}

/** An id as people see it: its prefix and the start of its random characters. */
export function shortId(id: string, lengths: IdLengths): string {
  const whole = kindOfId(id)
  if (whole === undefined) return id
  const kind = NAMED_KINDS.find((named) => named === whole)
  return `${idPrefix(whole)}_${randomPart(id).slice(0, kind === undefined ? UNNAMED_LENGTH : lengths[kind])}`
}

/** A text in which every id is short. */
export function shortIdsIn(text: string, lengths: IdLengths): string {
  return text.replaceAll(ID_IN_TEXT, (id) => shortId(id, lengths))
}
