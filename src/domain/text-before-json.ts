const JSON_START = /(?:^|\s)(?:```(?:json)?\s*)?(?=\{\s*")/g
const FENCE_END = /\s*```$/

/** What an agent says to people before the JSON at the end of its text, which is for the engine. */
export function textBeforeJson(text: string): string {
  const trimmed = text.trim()
  const body = trimmed.replace(FENCE_END, '')
  if (!body.endsWith('}')) return trimmed
  for (const { index, 0: start } of body.matchAll(JSON_START)) {
    if (isJson(body.slice(index + start.length))) return body.slice(0, index).trimEnd()
  }
  return trimmed
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
