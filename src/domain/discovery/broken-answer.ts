const MAX_QUOTE = 120
const KEYS = ['"tasks"', '"done"']

/**
 * What is wrong, in one line, with an output in which no answer was found: it has no JSON, JSON that breaks off or
 * does not hold together, or JSON that is no object. Nothing when the JSON in it can be read.
 */
export function describeBrokenAnswer(output: string): string | undefined {
  const text = withoutFence(output)
  if (text === '') return 'there is no answer: nothing was printed'
  const whole = parsed(text)
  if (whole.type === 'value') return wrongType(whole.value)
  const start = startOfAnswer(text)
  if (start === -1) return `there is no JSON object in the answer, which ends with: ${quoted(text)}`
  const part = parsed(text.slice(start))
  return part.type === 'value' ? undefined : `the JSON of the answer cannot be read: ${part.problem}`
}

/** Where the object that was meant to be the answer begins: around the keys of one, or at the first brace. */
function startOfAnswer(text: string): number {
  const key = Math.max(...KEYS.map((name) => text.lastIndexOf(name)))
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
    return { type: 'broken', problem: error instanceof Error ? oneLine(error.message) : 'it is no JSON' }
  }
}

function wrongType(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'the answer must be one JSON object, and is a list'
  if (typeof value === 'object' && value !== null) return undefined
  return `the answer must be one JSON object, and is ${value === null ? 'null' : `a ${typeof value}`}`
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
