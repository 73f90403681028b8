const ESCAPES = /\\\\|\\u(?:d[89a-f][0-9a-f]{2}|0000)/g

/**
 * JSON that PostgreSQL can hold. Half a character, as a cut through an emoji leaves, and NUL are valid in
 * JavaScript's JSON and refused by jsonb; a row that cannot be stored would be tried again for ever.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\u')) return text
  return text.replaceAll(ESCAPES, (found) => (found === '\\\\' ? found : '\ufffd'))
}
