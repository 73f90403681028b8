import { ObjectScanner } from './object-scanner.ts'
import { type JsonObject, parseJsonObject } from './parse-json-object.ts'
import { cleanJson } from './storable-json.ts'

/** Only the end of the output is searched. */
const TAIL_CHARACTERS = 1024 * 1024
/** How often, on average, a character may be looked at before hostile output is given up on. */
const EFFORT = 4
const PROGRESS_TYPES: ReadonlySet<unknown> = new Set(['text', 'tool-call', 'tool-result', 'usage'])

/** What an agent answered: its last result line, or else the last JSON object it printed. */
export function findAnswer(output: string): unknown {
  const tail = wholeLinesAtEnd(output)
  const found = lastResultLine(tail) ?? lastObject(tail)
  return found === undefined ? undefined : cleanJson(withoutResultType(found))
}

/** The last lines of the output. A line that was cut by the bound is left out, or its inside would pass for it. */
function wholeLinesAtEnd(output: string): string {
  if (output.length <= TAIL_CHARACTERS) return output
  const tail = output.slice(-TAIL_CHARACTERS)
  const lineBreak = tail.indexOf('\n')
  return lineBreak === -1 ? '' : tail.slice(lineBreak + 1)
}

function lastResultLine(text: string): JsonObject | undefined {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const fields = parseJsonObject(text.slice(start, end))
    if (fields?.type === 'result') return fields
    end = start - 1
  }
  return undefined
}

function lastObject(text: string): JsonObject | undefined {
  const scanner = new ObjectScanner(text)
  const limit = text.length * EFFORT
  let found: JsonObject | undefined
  let parsed = 0
  let at = text.indexOf('{')
  while (at !== -1 && scanner.steps + parsed <= limit) {
    const end = scanner.endOf(at)
    const fields = end === undefined ? undefined : parseJsonObject(text.slice(at, end))
    parsed += end === undefined ? 0 : end - at
    if (fields !== undefined && mayBeAnswer(fields)) found = fields
    at = text.indexOf('{', fields === undefined || end === undefined ? at + 1 : end)
  }
  return found
}

/** An empty object says nothing, and a progress line says something else. */
function mayBeAnswer(fields: JsonObject): boolean {
  return Object.keys(fields).length > 0 && !PROGRESS_TYPES.has(fields.type)
}

function withoutResultType(fields: JsonObject): JsonObject {
  if (fields.type !== 'result') return fields
  const { type: _, ...answer } = fields
  return answer
}
