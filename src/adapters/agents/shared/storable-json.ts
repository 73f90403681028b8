import { cleanText } from '../../../domain/clean-text.ts'
import { storableText } from './storable-text.ts'

const LIMIT_CHARACTERS = 64 * 1024

/**
 * Makes a parsed value safe to store and show: clean strings and bounded size. A larger value becomes truncated text.
 */
export function storableJson(value: unknown): unknown {
  const clean = cleanJson(value)
  const text = JSON.stringify(clean)
  return text.length > LIMIT_CHARACTERS ? storableText(text) : clean
}

/** Copies a parsed value with clean strings. Parsing has limited the depth, and so the recursion. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  // 1e400 is valid JSON but parses as Infinity, which neither JSON nor jsonb can store.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(entries.map(([key, inner]) => [cleanText(key), cleanJson(inner)]))
}
