import { visibleText } from './safe-text.ts'

/**
 * A value as a person must see it before they allow it: nothing left out, nothing hidden, and no text of it able to
 * pass for another field, because every further line of a text is marked.
 */
export function exactLines(value: unknown): readonly string[] {
  if (typeof value === 'string') return textLines(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [jsonOf(value)]
  return Object.entries(value).flatMap(([name, field]) => {
    const [first = '', ...rest] = typeof field === 'string' ? textLines(field) : [jsonOf(field)]
    return [`${visibleText(name).replaceAll('\n', '\\n')}: ${first}`, ...rest]
  })
}

function textLines(text: string): readonly string[] {
  const [first = '', ...rest] = visibleText(text).split('\n')
  return [first, ...rest.map((line) => `| ${line}`)]
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : visibleText(JSON.stringify(value))
}
