/**
 * Values nested deeper than `maxDepth` become strings holding their text, without recursion over the text.
 * Nothing when brackets do not balance, which no JSON text does.
 */
export function flattenJson(text: string, maxDepth: number): string | undefined {
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
    if (change === 1 && depth === maxDepth) deepStart = at
    if (change === -1 && depth === maxDepth + 1) {
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

/** The place of the quote that ends the string begun at `start`, or the text's end. */
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
