import { flattenJson } from './flatten-json.ts'

/** Levels of nesting that are kept as structure; what lies deeper is kept as its text. */
const MAX_DEPTH = 64

/** Fields of something foreign: `type` is the one that every reader looks at. */
export type JsonObject = { readonly type?: unknown; readonly [field: string]: unknown }

/** Text from an agent to an object of bounded depth, or nothing when it is not one JSON object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  if (text.trimStart().charAt(0) !== '{') return undefined
  const flat = flattenJson(text, MAX_DEPTH)
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
