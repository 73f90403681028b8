const ESCAPES = /\\\\|\\u(?:d[89a-f][0-9a-f]{2}|0000)/g

/**
 * JSON that PostgreSQL can store. JavaScript's JSON may contain NUL and half a character, such as a truncated emoji,
 * but jsonb refuses both. A row that can't be stored would be retried forever.
 */
export function jsonbText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u')) return text
  return text.replaceAll(ESCAPES, (found) => (found === '\\\\' ? found : '\ufffd'))
}
