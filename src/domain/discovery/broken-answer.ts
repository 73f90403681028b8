const MAX_QUOTE = 120
const PLANNER_KEYS = ['"tasks"', '"done"']

/**
 * Describes, in one line, why no answer was found in an output: no JSON, broken or truncated JSON, or JSON that is not
 * an object. Returns undefined if the JSON can be read.
 */
export function describeBrokenAnswer(
  output: string,
  keys: readonly string[] = PLANNER_KEYS,
): string | undefined {
  const text = withoutFence(output)
  if (text === '') return 'there is no answer: the output is empty'
  const whole = parsed(text)
  if (whole.type === 'value') return wrongType(whole.value)
  const start = startOfAnswer(text, keys)
  if (start === -1) return `the answer contains no JSON object; it ends with: ${quoted(text)}`
  const part = parsed(text.slice(start))
  return part.type === 'value' ? undefined : `the JSON in the answer is invalid: ${part.problem}`
}

/** Where the intended object begins: around the keys of an answer, or at the first brace. */
function startOfAnswer(text: string, keys: readonly string[]): number {
  const key = Math.max(...keys.map((name) => text.lastIndexOf(name)))
  const around = key === -1 ? -1 : text.lastIndexOf('{', key)
  return around === -1 ? text.indexOf('{') : around
}

type Parsed =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'broken'; readonly problem: string }

function parsed(text: string): Parsed {
  try {
    return { type: 'value', value: JSON.parse(text) as unknown }
  } catch (error) {
    return { type: 'broken', problem: error instanceof Error ? oneLine(error.message) : 'it is not JSON' }
  }
}

function wrongType(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'the answer must be one JSON object, but it is a list'
  if (typeof value === 'object' && value !== null) return undefined
  return `the answer must be one JSON object, but it is ${value === null ? 'null' : `a ${typeof value}`}`
}

function withoutFence(output: string): string {
  return output
    .trim()
    .replace(/\n?```\s*$/, '')
    .trim()
}

function quoted(text: string): string {
  const last = text.slice(text.lastIndexOf('\n') + 1)
  return JSON.stringify(oneLine(last).slice(-MAX_QUOTE))
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 2 * MAX_QUOTE)
}
