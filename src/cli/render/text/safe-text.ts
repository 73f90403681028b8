import { stripVTControlCharacters } from 'node:util'

// Control and format characters (which reorder or hide text), lone surrogates, and the separators that some
// terminals take for line ends. Tab and line feed are no danger.
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)
// Strings for the terminal itself: titles, clipboards, links. They end with a bell or a string terminator.
const TERMINAL_STRING = new RegExp(
  `(?:${ESCAPE}[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^${BELL}${ESCAPE}\\x9c\\n]*(?:${BELL}|${ESCAPE}\\\\|\\x9c)?`,
  'gu',
)

/**
 * Text that someone else wrote, made harmless to a terminal: no escape sequences, no control characters, no
 * marks that change the direction of text. Lines and tabs stay.
 */
export function safeText(text: string): string {
  return stripVTControlCharacters(text.replace(TERMINAL_STRING, '')).replace(UNSAFE, '')
}

/** The same, on one line and not longer than `limit` characters. */
export function safeLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const flat = safeText(text).replaceAll(/\s+/g, ' ').trim()
  if (flat.length <= limit) return flat
  const shortened = flat.slice(0, Math.max(0, limit - 1)).replace(/\p{Cs}$/u, '')
  return `${shortened}…`
}

/** The first line that says anything, without the colon that announced the rest. */
export function safeHead(text: string, limit?: number): string {
  const head = safeText(text)
    .split('\n')
    .find((line) => line.trim() !== '')
  return safeLine((head ?? '').replace(/:\s*$/, ''), limit)
}

/** The same with nothing taken away: whatever could hide or reorder text is shown as its number. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, escaped)
}

/** A value as JSON on one line that is harmless to a terminal and means the same to a program. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, escaped)
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_unit, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
