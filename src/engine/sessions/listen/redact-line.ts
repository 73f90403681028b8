import type { Redaction } from '../../../domain/redaction/redaction.ts'
import type { SpoolLine } from './spool-lines.ts'

/** Shorter than anything that a provider shortens in a line of plain text. */
const SHORT_CHARACTERS = 16 * 1024
const CUT = { start: true, end: true }

/**
 * A line without secrets, before anything cuts it. A short line of plain text reaches the store whole, which redacts
 * it then: looking for secrets twice would slow down programs that print a lot.
 */
export function redactPlainLine(redaction: Redaction, line: SpoolLine): string {
  const { text, truncated } = line
  if (truncated) return redaction.redactPiece(text, CUT)
  const isShort = text.length < SHORT_CHARACTERS && text.trimStart()[0] !== '{'
  return isShort ? text : redactProtocolLine(redaction, text)
}

/** A line of a protocol without secrets. A redacted line that is no longer valid is useless, so it stays as it was. */
export function redactProtocolLine({ redact }: Pick<Redaction, 'redact'>, text: string): string {
  const redacted = redact(text)
  return redacted === text || isJson(redacted) || !isJson(text) ? redacted : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
