import { visibleLine, visibleText } from './safe-text.ts'

/**
 * Shows a value exactly, for a person who has to allow it. Nothing is omitted or hidden. Further lines of a text are
 * marked, so that no text can look like another field.
 */
export function exactLines(value: unknown): readonly string[] {
  if (typeof value === 'string') return textLines(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [jsonOf(value)]
  return Object.entries(value).flatMap(([name, field]) => {
    const [first = '', ...rest] = typeof field === 'string' ? textLines(field) : [jsonOf(field)]
    return [`${visibleLine(name)}: ${first}`, ...rest]
  })
}

function textLines(text: string): readonly string[] {
  const [first = '', ...rest] = visibleText(text).split('\n')
  return [first, ...rest.map((line) => `| ${line}`)]
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : visibleText(JSON.stringify(value))
}
