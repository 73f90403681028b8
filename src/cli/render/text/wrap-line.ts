import { stripVTControlCharacters } from 'node:util'

/** Narrower text is harder to read than broken words. */
const LEAST_WIDTH = 20
const LEAST_INDENT = 2
/**
 * A command that people paste stays on one line, because a wrapped one would be pasted in pieces. Of npm, Muster
 * suggests only this one; the others are checks and setup commands of a project, which may be long.
 */
const COMMAND = /(?:^|(?<!^error)[:;,]) *(?=(?:muster|git) [-a-z]|npm install -g )/
/** A command, and words about it that are no part of it. A comma in quotes is part of the command. */
const EXPLAINED = /^((?:"[^"]*"|'[^']*'|[^"',;]|[,;](?! ))+)[,;] +(\S.*)$/
/** A word with the spaces before it. A command in backticks counts as one word. */
const WORD = /\s*(?:[^\s`]*`(?:muster|git|npm install -g) [^`]*`\S*|\S+)/g
/** A command, and a remark in a column of its own. */
const REMARK = /^(\S.*?\S) {2,}(\S.*)$/
/** The start of a line, up to its text: indentation, a mark, the name of a speaker, and short columns. */
const START = /^\s*(?:- )?(?:\[[\w-]+\] (?:[*~?!>-] +)?)?(?:(?:try|why): )?(?:\S+(?: \S+)? {2,}){0,3}/
const ESCAPE = String.fromCharCode(0x1b)
const STYLE = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'y')

/**
 * Breaks a line between words so that every part fits into `columns`. The other parts start where the text of the first
 * one starts. A command gets a line of its own.
 */
export function wrapLine(line: string, columns: number | undefined): readonly string[] {
  const plain = stripVTControlCharacters(line)
  if (columns === undefined || plain.length <= columns) return [line]
  const hang = START.exec(plain)?.[0].length ?? 0
  const command = COMMAND.exec(plain)
  if (command === null) return wrapWords(line, columns, hang)
  const start = command.index + command[0].length
  const before = plain.slice(0, start).trimEnd()
  const cut = placeOf(line, before.length)
  const text = line.slice(cut).trimStart()
  const [, head, explanation] = REMARK.test(text) ? [] : (EXPLAINED.exec(text) ?? [])
  if (head !== undefined) {
    const opening = line.slice(0, line.length - text.length)
    return [`${opening}${head}`, `${' '.repeat(hang)}${explanation}`].flatMap((part) =>
      wrapLine(part, columns),
    )
  }
  // Commands below each other stay aligned: those that don't fit where their text starts all start at the same place.
  if (before === '') return REMARK.test(text) ? withRemark(text, columns, hang, LEAST_INDENT) : [line]
  // A label such as `why:` stays before its command, above commands that start where this one does.
  if (start <= hang && REMARK.test(text)) return labelled(line.slice(0, cut), text, columns, hang)
  return [...wrapWords(line.slice(0, cut), columns, hang), ...withRemark(text, columns, hang + 2)]
}

function labelled(label: string, text: string, columns: number, hang: number): readonly string[] {
  const [first = '', ...rest] = withRemark(text, columns, hang, LEAST_INDENT)
  const isBeside = first.startsWith(' '.repeat(hang))
  return isBeside ? [`${label} ${first.trimStart()}`, ...rest] : [label, first, ...rest]
}

/** A command on a line of its own, with its remark below. If it doesn't fit at `hang`, it starts at `least` or before. */
function withRemark(text: string, columns: number, hang: number, least = hang): readonly string[] {
  const [, pasted = text, remark] = REMARK.exec(text) ?? []
  const room = Math.max(0, columns - length(pasted))
  const indent = hang <= room ? hang : Math.min(least, room)
  const below =
    remark === undefined ? [] : wrapWords(`${' '.repeat(indent + 4)}${remark}`, columns, indent + 4)
  return [`${' '.repeat(indent)}${pasted}`, ...below]
}

/** Breaks a text between words. All parts but the first are indented by `hang`. */
export function wrapWords(line: string, columns: number, hang = 0): readonly string[] {
  const indent = ' '.repeat(columns - hang < LEAST_WIDTH ? Math.min(hang, 2) : hang)
  const parts: string[] = []
  let part = ''
  // The first piece has the start of the line, with the words that follow it.
  for (const piece of pieces(line, hang)) {
    const isFull = part !== '' && length(`${part}${piece}`.trimEnd()) > columns
    if (isFull) parts.push(part.trimEnd())
    part = isFull ? `${indent}${piece.trimStart()}` : `${part}${piece}`
  }
  return [...parts, part.trimEnd()]
}

/** Where a visible character is in a line with colours. */
function placeOf(line: string, visible: number): number {
  let place = 0
  for (let seen = 0; seen < visible; seen += 1) {
    STYLE.lastIndex = place
    while (STYLE.test(line)) place = STYLE.lastIndex
    place += 1
  }
  return place
}

/** The words of a line, each with the spaces before it. Spaces in the start of the line separate nothing. */
function pieces(line: string, hang: number): readonly string[] {
  const found = line.match(WORD) ?? []
  let start = ''
  while (found.length > 0 && length(start) <= hang) start += found.shift()
  return [start, ...found]
}

function length(text: string): number {
  return stripVTControlCharacters(text).length
}
