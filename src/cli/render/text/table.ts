import { stripVTControlCharacters } from 'node:util'
import { safeLine } from './safe-text.ts'
import { wrapWords } from './wrap-line.ts'

/**
 * The width of a table, the headings of its optional columns in the order in which they are dropped, and the headings
 * of the columns that are cut if that is not enough.
 */
type Fit = {
  readonly columns?: number | undefined
  readonly optional?: readonly string[]
  readonly flexible?: readonly string[]
}

/** The last column is useless if it is narrower than this. */
const LEAST_LAST = 10
/** Optional columns are worth less than a readable last column. */
const READABLE_LAST = 24
/** A flexible column gives way to a readable last column only down to this width. */
const READABLE_FLEXIBLE = 14
const GAP = '  '

/**
 * Lays out columns under headings, each as wide as its widest cell. If the width is limited, optional columns are
 * dropped first, then the flexible columns are cut, and the last column continues on more lines. Cells must be safe text.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  fit: Fit = {},
): readonly string[] {
  const all = [headings, ...rows]
  const natural = headings.map((_heading, column) =>
    Math.max(...all.map((row) => visibleLength(row[column] ?? ''))),
  )
  const kept = keptColumns(headings, natural, fit)
  const widths = fittedWidths(headings, natural, kept, fit)
  const last = kept.at(-1) ?? 0
  const room = roomOfLast(widths, kept, fit)
  return all.flatMap((row) => {
    const start = kept.slice(0, -1).map((column) => {
      const width = widths[column] ?? 0
      return padded(cut(row[column] ?? '', width), width) + GAP
    })
    const [first = '', ...more] = lastCell(row[last] ?? '', room)
    const indent = ' '.repeat(start.reduce((sum, text) => sum + visibleLength(text), 0))
    return [`${start.join('')}${first}`.trimEnd(), ...more.map((part) => `${indent}${part}`)]
  })
}

/** Words that don't fit continue below. A word that is longer than the column is cut. */
function lastCell(text: string, room: number): readonly string[] {
  if (visibleLength(text) <= room) return [text]
  const parts = room < LEAST_LAST ? [text] : wrapWords(text, room)
  return parts.map((part) => cut(part, room))
}

function keptColumns(headings: readonly string[], widths: readonly number[], fit: Fit): readonly number[] {
  let kept = headings.map((_heading, column) => column)
  const least = Math.min(READABLE_LAST, widths.at(-1) ?? 0)
  for (const heading of fit.optional ?? []) {
    if (roomOfLast(widths, kept, fit) >= least) break
    kept = kept.filter((column) => headings[column] !== heading)
  }
  return kept
}

/** Narrows the flexible columns until the last one can be read, or at least until it has some room. */
function fittedWidths(
  headings: readonly string[],
  natural: readonly number[],
  kept: readonly number[],
  fit: Fit,
): readonly number[] {
  const flexible = kept.filter((column) => fit.flexible?.includes(headings[column] ?? '') === true)
  const missing = (widths: readonly number[], wanted: number) =>
    Math.min(wanted, natural.at(-1) ?? 0) - roomOfLast(widths, kept, fit)
  const readable = narrowed(natural, flexible, missing(natural, READABLE_LAST), READABLE_FLEXIBLE)
  return narrowed(readable, flexible, missing(readable, LEAST_LAST), LEAST_LAST)
}

/** Takes `missing` characters from these columns, always from the widest, and leaves each at least `least`. */
function narrowed(
  natural: readonly number[],
  columns: readonly number[],
  missing: number,
  least: number,
): readonly number[] {
  const widths = [...natural]
  const widthOf = (column: number) => widths[column] ?? 0
  for (let left = missing; left > 0; left -= 1) {
    const [widest] = [...columns].sort((one, other) => widthOf(other) - widthOf(one))
    if (widest === undefined || widthOf(widest) <= least) break
    widths[widest] = widthOf(widest) - 1
  }
  return widths
}

function roomOfLast(widths: readonly number[], kept: readonly number[], { columns }: Fit): number {
  if (columns === undefined) return Number.POSITIVE_INFINITY
  return kept.slice(0, -1).reduce((room, column) => room - (widths[column] ?? 0) - GAP.length, columns)
}

function cut(text: string, room: number): string {
  return visibleLength(text) <= room
    ? text
    : safeLine(text, Math.max(room, Math.min(LEAST_LAST, visibleLength(text))))
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visibleLength(text)))
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length
}
