import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { failure, type Result, success } from '../../../domain/result.ts'

/** How many flow brackets a file may contain. Deeply nested brackets slow the parser down far more than long text. */
const MAX_BRACKETS = 10_000
const MAX_ALIASES = 100

type Path = readonly PropertyKey[]

/** A parsed file, and where each value in it is. Lines and columns start at 1. */
export type YamlSource = {
  readonly data: unknown
  readonly lineOf: (path: Path) => number
  readonly columnOf: (path: Path) => number
}
export type YamlProblem = { readonly line?: number; readonly column?: number; readonly problem: string }

export function parseYaml(text: string): Result<YamlSource, YamlProblem> {
  if ((text.match(/[[{]/g)?.length ?? 0) > MAX_BRACKETS) {
    return failure({ problem: `has more than ${MAX_BRACKETS} brackets` })
  }
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const [syntax] = document.errors
    if (syntax !== undefined) {
      const { line, col: column } = lines.linePos(syntax.pos[0])
      return failure({
        line,
        column,
        problem: `not valid YAML: ${syntax.message}`,
      })
    }
    const data: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    const placeOf = (path: Path) => lines.linePos(offsetOf(document, path))
    return success({
      data,
      lineOf: (path) => placeOf(path).line,
      columnOf: (path) => placeOf(path).col,
    })
  } catch (error) {
    // The file has too many aliases, or its nesting overflows the parser's stack. Neither is a defect of ours.
    if (error instanceof ReferenceError || error instanceof RangeError) {
      return failure({ problem: `is not valid YAML: ${error.message}` })
    }
    throw error
  }
}

/** Where the field at `path` starts. If the file lacks that field, where its nearest parent starts. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const segment of path) {
    const [key, value] = childOf(node, segment)
    offset = startOf(key) ?? startOf(value) ?? offset
    node = value
  }
  return offset
}

function childOf(node: unknown, segment: PropertyKey): readonly [unknown, unknown] {
  if (isSeq(node)) return [undefined, node.items[Number(segment)]]
  if (!isMap(node)) return [undefined, undefined]
  const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(segment))
  return [pair?.key, pair?.value]
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}
