import { stripVTControlCharacters } from 'node:util'

const ESCAPE = String.fromCharCode(0x1b)
const ERASE_ROW_ABOVE = `${ESCAPE}[1A${ESCAPE}[2K`

/**
 * Erases the rows that lines need additionally in a terminal that became narrower, from below. Terminals break lines
 * anew then, but what draws the lines knows only how many there were.
 */
export function eraseOverflow(lines: readonly string[], columns: number): string {
  const rows = lines.map((line) => Math.ceil(stripVTControlCharacters(line).length / Math.max(1, columns)))
  return ERASE_ROW_ABOVE.repeat(rows.reduce((sum, count) => sum + Math.max(0, count - 1), 0))
}
