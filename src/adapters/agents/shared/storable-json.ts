import { cleanText, storableText } from './storable-text.ts'

const LIMIT_CHARACTERS = 64 * 1024

/** A parsed value that can be stored and shown: clean strings, bounded size. Too big, it becomes cut text. */
export function storableJson(value: unknown): unknown {
  const clean = cleanJson(value)
  const text = JSON.stringify(clean)
  return text.length > LIMIT_CHARACTERS ? storableText(text) : clean
}

/** Copies a parsed value with clean strings. Recursion is bounded because parsing bounded the depth. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  // 1e400 is JSON, and infinite here, and neither JSON nor jsonb could hold it again.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(entries.map(([key, inner]) => [cleanText(key), cleanJson(inner)]))
}
