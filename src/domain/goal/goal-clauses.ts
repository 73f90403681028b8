import { type MarkdownLine, markdownLines } from './markdown-lines.ts'

const MAX_CLAUSES = 50
const MAX_CHARACTERS = 500
/** Text this far in, after a blank line and outside of a list, is code in Markdown. */
const CODE_INDENT = 4
/** The heading under which Muster itself writes what was learnt. */
const LEARNINGS = /^learnings:?$/i

/**
 * The clauses a goal consists of, in one line each and in order: its list items where it has any, or else its
 * paragraphs. The same document always has the same clauses, so their numbers can be relied on.
 */
export function goalClauses(document: string): readonly string[] {
  const lines = withoutLearnings(markdownLines(document))
  const listed = itemsOf(lines)
  const found = (listed.length > 0 ? listed : paragraphsOf(lines)).map(oneLine).filter((text) => text !== '')
  const clauses = found.length > 0 ? found : onlyText(document)
  return bounded(clauses).map(shortened)
}

/** Muster writes a plain list there: whatever else follows is the person's again. */
function withoutLearnings(lines: readonly MarkdownLine[]): readonly MarkdownLine[] {
  let isSkipping = false
  return lines.filter((line) => {
    if (line.type === 'heading') isSkipping = LEARNINGS.test(line.text)
    const isOfList = line.type === 'item' || line.type === 'blank' || line.type === 'heading'
    if (!isOfList && !(line.type === 'text' && line.indent > 0)) isSkipping = false
    return !isSkipping
  })
}

type OpenItem = { readonly content: number; readonly parts: string[]; sinceBlank: boolean }

/** Top-level list items, each with all that stands below it. */
function itemsOf(lines: readonly MarkdownLine[]): readonly string[] {
  const items: OpenItem[] = []
  let open: OpenItem | undefined
  for (const line of lines) {
    const belongs: boolean = open !== undefined && belongsTo(line, open)
    if (line.type === 'item' && !belongs) {
      open = { content: line.content, parts: [line.text], sinceBlank: false }
      items.push(open)
      continue
    }
    if (!belongs) open = undefined
    if (open !== undefined) extend(open, line)
  }
  return items.map((item) => item.parts.join(''))
}

function belongsTo(line: MarkdownLine, open: OpenItem): boolean {
  if (line.type === 'item') return line.indent >= open.content
  if (line.type === 'text') return !open.sinceBlank || line.indent >= open.content
  return line.type !== 'heading'
}

function extend(open: OpenItem, line: MarkdownLine): void {
  open.sinceBlank = line.type === 'blank'
  if (line.type === 'item') open.parts.push(open.parts.at(-1)?.endsWith(':') === true ? ' ' : '; ', line.text)
  if (line.type === 'text') open.parts.push(' ', line.text)
}

function paragraphsOf(lines: readonly MarkdownLine[]): readonly string[] {
  const paragraphs: string[][] = []
  let open: string[] | undefined
  for (const line of lines) {
    const isCode = line.type === 'text' && open === undefined && line.indent >= CODE_INDENT
    if (line.type !== 'text' || isCode) {
      open = undefined
      continue
    }
    if (open === undefined) {
      open = []
      paragraphs.push(open)
    }
    open.push(line.text)
  }
  return paragraphs.map((paragraph) => paragraph.join(' '))
}

/** A goal of headings or code alone still asks for something. */
function onlyText(document: string): readonly string[] {
  const text = oneLine(document.replaceAll(/^[ \t]*#{1,6}(?=[ \t])/gm, ''))
  const whole = text === '' ? oneLine(document) : text
  return whole === '' ? [] : [whole]
}

/** What is over the bound still has to be reached: the last clause stands for all of it. */
function bounded(clauses: readonly string[]): readonly string[] {
  if (clauses.length <= MAX_CLAUSES) return clauses
  const kept = clauses.slice(0, MAX_CLAUSES - 1)
  const rest = clauses.length - kept.length
  return [...kept, `the remaining ${rest} clauses of the goal, beginning with: ${clauses[kept.length] ?? ''}`]
}

function shortened(clause: string): string {
  return clause.length <= MAX_CHARACTERS ? clause : `${clause.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
