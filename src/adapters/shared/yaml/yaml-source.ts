import {
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml'
import { FILE_LIMITS } from '../../../domain/limits/file-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { type DuplicateKey, findDuplicateKey } from './find-duplicate-key.ts'
import { findUnclosedBracket } from './find-unclosed-bracket.ts'

type Path = readonly PropertyKey[]

/** A parsed file, and where each value in it is. Lines and columns start at 1. */
export type YamlSource = {
  readonly data: unknown
  readonly lineOf: (path: Path) => number
  readonly columnOf: (path: Path) => number
}
export type YamlProblem = { readonly line?: number; readonly column?: number; readonly problem: string }

export function parseYaml(text: string): Result<YamlSource, YamlProblem> {
  const excess = findExcess(text)
  if (excess !== undefined) return failure({ problem: excess })
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
    const [syntax] = document.errors
    if (syntax !== undefined) return failure(syntaxProblem(text, lines, syntax))
    const duplicate = findDuplicateKey(document.contents)
    if (duplicate !== undefined) return failure(duplicateProblem(lines, duplicate))
    const data: unknown = document.toJS({ maxAliasCount: FILE_LIMITS.aliases })
    const offsetOf = createOffsets(document.contents)
    return success({
      data,
      lineOf: (path) => lines.linePos(offsetOf(path)).line,
      columnOf: (path) => lines.linePos(offsetOf(path)).col,
    })
  } catch (error) {
    // The file has too many aliases, or its nesting overflows the parser's stack. Neither is a defect of ours.
    if (error instanceof ReferenceError || error instanceof RangeError) {
      return failure({ problem: `is not valid YAML: ${error.message}` })
    }
    throw error
  }
}

function syntaxProblem(
  text: string,
  lines: LineCounter,
  { code, pos, message }: YAMLParseError,
): YamlProblem {
  const mayBeOpen = code === 'BAD_INDENT' || code === 'MISSING_CHAR'
  const unclosed = mayBeOpen ? findUnclosedBracket(text) : undefined
  if (unclosed === undefined) return invalid(lines, pos[0], message)
  return invalid(lines, unclosed.offset, `"${unclosed.bracket}" is never closed`)
}

function duplicateProblem(lines: LineCounter, { name, offset, first }: DuplicateKey): YamlProblem {
  const shown = JSON.stringify(name.slice(0, 100))
  return invalid(lines, offset, `${shown} is there twice, first in line ${lines.linePos(first).line}`)
}

function invalid(lines: LineCounter, offset: number, message: string): YamlProblem {
  const { line, col: column } = lines.linePos(offset)
  return { line, column, problem: `not valid YAML: ${message}` }
}

/** What the file has too much of. Nothing is parsed for that. */
function findExcess(text: string): string | undefined {
  if ((text.match(/[[{]/g)?.length ?? 0) > FILE_LIMITS.brackets) {
    return `has more than ${FILE_LIMITS.brackets} brackets`
  }
  let entries = 0
  for (const token of new Lexer().lex(text)) {
    if (ENTRY_MARKS.has(token)) entries += 1
    if (entries > FILE_LIMITS.entries) return `has more than ${FILE_LIMITS.entries} fields and list entries`
  }
  return undefined
}

/** Every field of a map and every entry of a list has one of these in front of it or behind it. */
const ENTRY_MARKS: ReadonlySet<string> = new Set([':', '-', '?', ','])

/** Finds where the field at a path starts. If the file lacks that field, where its nearest parent starts. */
function createOffsets(contents: unknown): (path: Path) => number {
  const fields = new Map<YAMLMap, ReadonlyMap<string, Field>>()

  function childOf(node: unknown, segment: PropertyKey): Partial<Field> {
    if (isSeq(node)) return { value: node.items[Number(segment)] }
    if (!isMap(node)) return {}
    const known = fields.get(node) ?? fieldsOf(node)
    fields.set(node, known)
    return known.get(String(segment)) ?? {}
  }

  return (path) => {
    let node = contents
    let offset = startOf(node) ?? 0
    for (const segment of path) {
      const { key, value } = childOf(node, segment)
      offset = startOf(key) ?? startOf(value) ?? offset
      node = value
    }
    return offset
  }
}

type Field = { readonly key: unknown; readonly value: unknown }

/** The fields by name. The first of several names that look the same, such as 1 and "1", is meant. */
function fieldsOf(map: YAMLMap): ReadonlyMap<string, Field> {
  const fields = map.items.flatMap(({ key, value }) =>
    isScalar(key) ? [[String(key.value), { key, value }] as const] : [],
  )
  return new Map(fields.reverse())
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
