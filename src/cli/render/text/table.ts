import { stripVTControlCharacters } from 'node:util'
import { safeLine } from './safe-text.ts'

/** How wide a table may be, and which of its columns, by their headings and in this order, it can do without. */
type Fit = { readonly columns?: number | undefined; readonly optional?: readonly string[] }

/** Less than this says nothing. */
const LEAST_LAST = 10
const GAP = '  '

/**
 * Columns under headings, as wide as their widest cell; the last one is not padded. Where the width is limited the
 * columns that can be done without are left out, and then the last one is cut. Cells are safe text.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  fit: Fit = {},
): readonly string[] {
  const all = [headings, ...rows]
  const widths = headings.map((_heading, column) =>
    Math.max(...all.map((row) => visibleLength(row[column] ?? ''))),
  )
  const kept = keptColumns(headings, widths, fit)
  const last = kept.at(-1) ?? 0
  const room = roomOfLast(widths, kept, fit)
  return all.map((row) =>
    kept
      .map((column) => {
        const text = row[column] ?? ''
        return column === last ? cut(text, room) : padded(text, widths[column] ?? 0)
      })
      .join(GAP)
      .trimEnd(),
  )
}

function keptColumns(headings: readonly string[], widths: readonly number[], fit: Fit): readonly number[] {
  let kept = headings.map((_heading, column) => column)
  const least = Math.min(LEAST_LAST, widths.at(-1) ?? 0)
  for (const heading of fit.optional ?? []) {
    if (roomOfLast(widths, kept, fit) >= least) break
    kept = kept.filter((column) => headings[column] !== heading)
  }
  return kept
}

function roomOfLast(widths: readonly number[], kept: readonly number[], { columns }: Fit): number {
  if (columns === undefined) return Number.POSITIVE_INFINITY
  return kept.slice(0, -1).reduce((room, column) => room - (widths[column] ?? 0) - GAP.length, columns)
}

function cut(text: string, room: number): string {
  return visibleLength(text) <= room ? text : safeLine(text, Math.max(room, LEAST_LAST))
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visibleLength(text)))
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length
}
