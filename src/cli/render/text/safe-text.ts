import { stripVTControlCharacters } from 'node:util'

// Control and format characters (which reorder or hide text), lone surrogates, and the separators that some
// terminals treat as line ends. Tab and line feed are safe.
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
/** A cut at a word must keep at least this much of the text that fits. */
const LEAST_KEPT = 1 / 3
const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)
// Commands to the terminal: titles, clipboard, links. They end with a bell or a string terminator.
const TERMINAL_STRING = new RegExp(
  `(?:${ESCAPE}[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^${BELL}${ESCAPE}\\x9c\\n]*(?:${BELL}|${ESCAPE}\\\\|\\x9c)?`,
  'gu',
)

/**
 * Makes text from others safe for a terminal: removes escape sequences, control characters and marks that change the
 * direction of text. Line feeds and tabs stay.
 */
export function safeText(text: string): string {
  return stripVTControlCharacters(text.replace(TERMINAL_STRING, '')).replace(UNSAFE, '')
}

/** Safe text that keeps the breaks by which Muster's Markdown mentions no one. */
export function safeMarkdown(text: string): string {
  return text.split('\u200b').map(safeText).join('\u200b')
}

/** Safe text on one line, with at most `limit` characters. It is cut between words if that costs little. */
export function safeLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const flat = safeText(text).replaceAll(/\s+/g, ' ').trim()
  if (flat.length <= limit) return flat
  const room = Math.max(0, limit - 1)
  const shortened = flat.slice(0, room).replace(/\p{Cs}$/u, '')
  const lastSpace = flat[room] === ' ' ? -1 : shortened.lastIndexOf(' ')
  return `${lastSpace >= room * LEAST_KEPT ? shortened.slice(0, lastSpace) : shortened.trimEnd()}…`
}

/** The first line that is not empty, without a colon at its end. */
export function safeHead(text: string, limit?: number): string {
  const head = safeText(text)
    .split('\n')
    .find((line) => line.trim() !== '')
  return safeLine((head ?? '').replace(/:\s*$/, ''), limit)
}

/** Removes nothing: characters that could hide or reorder text are shown as escapes. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, escaped)
}

/** Visible text on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n')
}

/** JSON that is safe for a terminal and has the same meaning for a program: on one line, unless it is indented. */
export function safeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, undefined, indent).replace(UNSAFE, escaped)
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_unit, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
