/** How many levels of nesting are parsed. Deeper values are kept as text. */
const MAX_DEPTH = 64

/** Fields of an unknown object. Every reader looks at `type`. */
export type JsonObject = { readonly type?: unknown; readonly [field: string]: unknown }

/** Parses an agent's text as one JSON object of bounded depth; undefined if it isn't one. */
export function parseJsonObject(text: string): JsonObject | undefined {
  if (text.trimStart().charAt(0) !== '{') return undefined
  const flat = flattenJson(text)
  if (flat === undefined) return undefined
  try {
    const value: unknown = JSON.parse(flat)
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Replaces values nested deeper than MAX_DEPTH by strings with their text. Works without recursion, which hostile text
 * could exhaust. Undefined if the brackets don't balance, because then the text isn't JSON.
 */
function flattenJson(text: string): string | undefined {
  const pieces: string[] = []
  let depth = 0
  let copied = 0
  let deepStart = 0
  for (let at = 0; at < text.length; at += 1) {
    const change = depthChange(text.charCodeAt(at))
    if (change === 'string') {
      at = stringEnd(text, at)
      continue
    }
    if (change === 1 && depth === MAX_DEPTH) deepStart = at
    if (change === -1 && depth === MAX_DEPTH + 1) {
      pieces.push(text.slice(copied, deepStart), JSON.stringify(text.slice(deepStart, at + 1)))
      copied = at + 1
    }
    depth += change
  }
  return depth === 0 ? pieces.join('') + text.slice(copied) : undefined
}

function depthChange(code: number): -1 | 0 | 1 | 'string' {
  switch (code) {
    case 0x22:
      return 'string'
    case 0x5b:
    case 0x7b:
      return 1
    case 0x5d:
    case 0x7d:
      return -1
    default:
      return 0
  }
}

/** The position of the quote that ends the string at `start`, or the end of the text. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1
  return backslashes % 2 === 1
}
