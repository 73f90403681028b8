import { DOCUMENT_LIMITS } from '../limits/document-limits.ts'
import { type MarkdownLine, markdownLines } from './markdown-lines.ts'

/** Text indented this far, after a blank line and outside a list, is code in Markdown. */
const CODE_INDENT = 4
/** The heading under which Muster itself writes learnings. */
const LEARNINGS = /^learnings:?$/i

/**
 * Splits a goal into clauses, one line each and in order: its list items if it has any, otherwise its paragraphs. The
 * same document always has the same clauses, so their numbers are stable.
 */
export function goalClauses(document: string): readonly string[] {
  const lines = withoutLearnings(markdownLines(document))
  const listed = itemsOf(lines)
  const found = (listed.length > 0 ? listed : paragraphsOf(lines)).map(oneLine).filter((text) => text !== '')
  const clauses = found.length > 0 ? found : onlyText(document)
  return bounded(clauses).map(shortened)
}

/** Muster writes a plain list there; anything after the list belongs to the person again. */
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

/** Top-level list items, each with everything below it. */
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

/** A goal that is only headings or code still asks for something. */
function onlyText(document: string): readonly string[] {
  const text = oneLine(document.replaceAll(/^[ \t]*#{1,6}(?=[ \t])/gm, ''))
  const whole = text === '' ? oneLine(document) : text
  return whole === '' ? [] : [whole]
}

/** Clauses beyond the limit must still be met: the last one stands for all of them. */
function bounded(clauses: readonly string[]): readonly string[] {
  if (clauses.length <= DOCUMENT_LIMITS.clauses) return clauses
  const kept = clauses.slice(0, DOCUMENT_LIMITS.clauses - 1)
  const rest = clauses.length - kept.length
  return [...kept, `the remaining ${rest} clauses of the goal, beginning with: ${clauses[kept.length] ?? ''}`]
}

function shortened(clause: string): string {
  return clause.length <= DOCUMENT_LIMITS.clauseCharacters
    ? clause
    : `${clause.slice(0, DOCUMENT_LIMITS.clauseCharacters - 1).trimEnd()}…`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
