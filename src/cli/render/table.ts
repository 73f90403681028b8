import { stripVTControlCharacters } from 'node:util'

/** Columns under headings, as wide as their widest cell; the last one is not padded. Cells are safe text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [headings, ...rows]
  const widths = headings.map((_heading, column) =>
    Math.max(...all.map((row) => visibleLength(row[column] ?? ''))),
  )
  return all.map((row) =>
    headings
      .map((_heading, column) => cell(row[column] ?? '', widths, column))
      .join('  ')
      .trimEnd(),
  )
}

function cell(text: string, widths: readonly number[], column: number): string {
  if (column === widths.length - 1) return text
  return text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - visibleLength(text)))
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length
}
