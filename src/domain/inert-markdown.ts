import { plainText } from './plain-text.ts'

/** Takes no room, but ends what a forge would take for a name, a number or an address. */
const BREAK = '\u200b'
/** `@name` notifies a person, and `#1`, `!1`, `GH-1` and addresses refer to issues or even close them. */
const REFERENCES = /[@#](?=[\p{L}\p{N}_-])|[!&%~$](?=[\p{N}"])|\bGH-(?=\d)|:(?=\/\/)|\bwww\.(?=\S)/giu
/** Everything that Markdown, HTML or a forge's formulas could begin with in the middle of a line. */
const MARKS = /[\\`*_{}[\]<>|~$&]/g

/**
 * Text of others as one line of Markdown that shows exactly that text. It mentions no one, refers to no issue, and
 * contains no markup, no link and no HTML.
 */
export function inertLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  return unlinked(oneLine(text, limit)).replace(MARKS, '\\$&')
}

/** The same where no Markdown is read, such as in a title. */
export function unlinkedLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  return unlinked(oneLine(text, limit))
}

/** Text that people copy, such as a command or a branch. Forges take nothing in a code span for a reference. */
export function codeSpan(text: string): string {
  const flat = oneLine(text)
  if (flat === '') return ''
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const room = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return `${fence}${room}${flat}${room}${fence}`
}

function unlinked(text: string): string {
  return text.replace(REFERENCES, `$&${BREAK}`)
}

function oneLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const flat = plainText(text).replaceAll(/\s+/g, ' ').trim()
  return flat.length <= limit ? flat : `${flat.slice(0, limit - 1).replace(/\p{Cs}$/u, '')}…`
}
