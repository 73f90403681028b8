import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const GUIDES = 'docs/guides'

/** Changes the directory or sets a variable, for the commands below. */
const SETS_UP = /^(cd |export |\w+=)/

/** A command that a document shows in a block. */
export type DocumentedCommand = {
  /** The document and the line, such as `README.md:75`. */
  readonly place: string
  /** The command as it is written, without its comment. A block with a here-document is one command. */
  readonly text: string
  /** Lines of the same block that the command builds on: variables and changes of directory. */
  readonly prelude: readonly string[]
}

/** A command that a document mentions in a sentence, in a table or in sample output. */
export type MentionedCommand = { readonly place: string; readonly text: string }

/** One fenced block. Its first line of text has the number `line`. */
export type Block = { readonly language: string; readonly line: number; readonly lines: readonly string[] }

/** README.md and all guides. */
export function userDocuments(): readonly string[] {
  const guides = readdirSync(join(ROOT, GUIDES)).filter((name) => name.endsWith('.md'))
  return ['README.md', ...guides.toSorted().map((name) => `${GUIDES}/${name}`)]
}

export function readDocument(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8')
}

/** The commands in the blocks of a document, in their order. */
export function commandsIn(document: string, text = readDocument(document)): readonly DocumentedCommand[] {
  return blocksIn(text).flatMap((block) => {
    if (block.language === 'sh') return commandsOf(document, block)
    return block.language === 'console' ? promptsOf(document, block) : []
  })
}

/** The commands that a document mentions elsewhere. */
export function mentionsIn(document: string, text = readDocument(document)): readonly MentionedCommand[] {
  const blocks = blocksIn(text)
  const inBlock = new Set(blocks.flatMap(({ line, lines }) => lines.map((_, index) => line + index)))
  const sentences = text.split('\n').flatMap((line, index) => {
    const spans = inBlock.has(index + 1) ? [] : [...line.matchAll(/`(muster [^`]+)`/g)]
    return spans.map(([, span = '']) => ({ place: `${document}:${index + 1}`, text: span }))
  })
  const samples = blocks
    .filter(({ language }) => language === 'text')
    .flatMap(({ line, lines }) =>
      lines.flatMap((sample, index) => {
        const [, found] = /(?:^|: +)(muster [a-z].*)$/.exec(sample) ?? []
        return found === undefined ? [] : [{ place: `${document}:${line + index}`, text: found }]
      }),
    )
  return [...sentences, ...samples]
}

/** The text of a file that a document shows in a block which starts with a comment that names it. */
export function fileIn(document: string, name: string): string {
  const block = blocksIn(readDocument(document)).find(({ lines }) => lines[0] === `# ${name}`)
  if (block === undefined) throw new Error(`${document} shows no file ${name}`)
  return block.lines.join('\n')
}

function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(\w*)/.exec(line)
    if (fence === null) open?.lines.push(line)
    else if (open === undefined) open = { language: fence[1] ?? '', line: index + 2, lines: [] }
    else {
      blocks.push(open)
      open = undefined
    }
  }
  return blocks
}

function commandsOf(document: string, { line, lines }: Block): readonly DocumentedCommand[] {
  if (lines.some((text) => text.includes('<<')))
    return [{ place: `${document}:${line}`, text: lines.join('\n'), prelude: [] }]
  const prelude: string[] = []
  return joinedLines(lines).flatMap(({ text, index }) => {
    if (text === '' || text.startsWith('#')) return []
    if (!SETS_UP.test(text)) return [{ place: `${document}:${line + index}`, text, prelude: [...prelude] }]
    prelude.push(text)
    return []
  })
}

/** The lines without comments, each with those that it continues on, and the index of its first line. */
function joinedLines(lines: readonly string[]): readonly { readonly text: string; readonly index: number }[] {
  const joined: { text: string; readonly index: number }[] = []
  for (const [index, line] of lines.entries()) {
    const last = joined.at(-1)
    const text = withoutComment(line)
    if (last?.text.endsWith('\\')) last.text += `\n${text}`
    else joined.push({ text, index })
  }
  return joined
}

function withoutComment(line: string): string {
  return line.replace(/\s+# .*$/, '').trimEnd()
}

function promptsOf(document: string, { line, lines }: Block): readonly DocumentedCommand[] {
  return lines.flatMap((text, index) =>
    text.startsWith('$ ')
      ? [{ place: `${document}:${line + index}`, text: withoutComment(text.slice(2)), prelude: [] }]
      : [],
  )
}
