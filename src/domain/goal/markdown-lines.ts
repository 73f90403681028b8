/** The kind of one line of a Markdown document, as far as the clauses of a goal depend on it. */
export type MarkdownLine =
  | { readonly type: 'blank' }
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  /** Code, a quotation or a rule: it explains, but asks for nothing itself. */
  | { readonly type: 'aside' }
  /** `indent` is the column of the marker, `content` the column of the text after it. */
  | { readonly type: 'item'; readonly indent: number; readonly content: number; readonly text: string }
  | { readonly type: 'text'; readonly indent: number; readonly text: string }

const FENCE = /^ *(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const UNDERLINE = /^ {0,3}(={2,}|-{2,})[ \t]*$/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const QUOTE = /^ {0,3}>/
const COMMENT = /^ {0,3}<!--.*-->[ \t]*$/
const ITEM = /^( *)([-*+•]|\d{1,9}[.)])( +)(?:\[[ xX]\](?: +|$))?(.*)$/
const TAB = '    '
/** Nothing recognised here is longer, and no clause is. */
const MAX_ROW = 2_000

/** Classifies the lines of a document; accepts any text. */
export function markdownLines(document: string): readonly MarkdownLine[] {
  const rows = withoutCommonIndent(document.split(/\r\n|\r|\n/).map((row) => row.replaceAll('\t', TAB)))
  const lines: MarkdownLine[] = []
  let fence: string | undefined
  for (const [index, row] of rows.entries()) {
    const mark = FENCE.exec(row)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && row.trim() === mark) fence = undefined
      lines.push({ type: 'aside' })
      continue
    }
    fence = mark
    lines.push(mark === undefined ? lineOf(row, lines[index - 1], rows[index + 1] ?? '') : { type: 'aside' })
  }
  return lines
}

function lineOf(row: string, before: MarkdownLine | undefined, after: string): MarkdownLine {
  if (row.trim() === '') return { type: 'blank' }
  const heading = HEADING.exec(row)
  if (heading !== null) return { type: 'heading', level: (heading[1] ?? '').length, text: heading[2] ?? '' }
  if (RULE.test(row) || UNDERLINE.test(row) || QUOTE.test(row) || COMMENT.test(row)) return { type: 'aside' }
  const item = itemOf(row)
  if (item !== undefined) return item
  const isTitle = before === undefined || before.type === 'blank' || before.type === 'aside'
  const level = UNDERLINE.exec(after)?.[1]?.startsWith('=') === true ? 1 : 2
  if (isTitle && UNDERLINE.test(after)) return { type: 'heading', level, text: row.trim() }
  return { type: 'text', indent: indentOf(row), text: row.trim() }
}

function itemOf(row: string): MarkdownLine | undefined {
  const [, indent, marker, gap, text] = ITEM.exec(row) ?? []
  if (indent === undefined || marker === undefined || gap === undefined) return undefined
  const content = indent.length + marker.length + gap.length
  return { type: 'item', indent: indent.length, content, text: (text ?? '').trim() }
}

/** A goal pasted with everything indented means the same as one without the indent. */
function withoutCommonIndent(rows: readonly string[]): readonly string[] {
  const written = rows.filter((row) => row.trim() !== '')
  const common = written.reduce((least, row) => Math.min(least, indentOf(row)), Number.POSITIVE_INFINITY)
  const start = Number.isFinite(common) ? common : 0
  return rows.map((row) => row.slice(start, start + MAX_ROW))
}

function indentOf(row: string): number {
  return row.length - row.trimStart().length
}
