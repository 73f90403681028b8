import { type Document, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Script } from './script.ts'
import { scriptSchema } from './script-schema.ts'

/** Reads the scenes of a script, or describes what is wrong and in which line. */
export function readScript(text: string, format: 'yaml' | 'json'): Result<Script, string> {
  const notJson = format === 'json' ? jsonProblem(text) : undefined
  if (notJson !== undefined) return failure(notJson)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [syntax] = document.errors
  if (syntax !== undefined) return failure(`line ${lines.linePos(syntax.pos[0]).line}: ${syntax.message}`)
  const data = plainData(document)
  if (!data.ok) return data
  const parsed = scriptSchema.safeParse(data.value)
  if (parsed.success) return success(parsed.data as unknown as Script)
  const [issue] = parsed.error.issues
  const path = issue?.path ?? []
  const where = `line ${lines.linePos(offsetOf(document, path)).line}, ${path.map(String).join('.')}`
  return failure(`${where}: ${issue?.message ?? 'is not a script'}`)
}

/** The player reads a JSON file as JSON. The YAML parser, used here for line numbers, would accept more. */
function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function plainData(document: Document.Parsed): Result<unknown, string> {
  try {
    return success(document.toJS({ maxAliasCount: 100 }))
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error))
  }
}

/** Where the value at `path` starts, or its nearest existing parent. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as ParsedNode | null | undefined
    if (node?.range !== undefined) return node.range[0]
  }
  return 0
}
