import { ObjectScanner } from './object-scanner.ts'
import { type JsonObject, parseJsonObject } from './parse-json-object.ts'
import { cleanJson } from './storable-json.ts'

/** Only this much of the end of the output is searched. */
const TAIL_CHARACTERS = 1024 * 1024
/** How often a character may be read on average. Hostile output that needs more is given up. */
const EFFORT = 4
const PROGRESS_TYPES: ReadonlySet<unknown> = new Set(['text', 'tool-call', 'tool-result', 'usage'])

/** Finds an agent's answer: its last result line, or else the last JSON object in its output. */
export function findAnswer(output: string): unknown {
  const tail = wholeLinesAtEnd(output)
  const found = lastResultLine(tail) ?? lastObject(tail)
  return found === undefined ? undefined : cleanJson(withoutResultType(found))
}

/**
 * The last lines of the output. A truncated line is left out, because an object inside it could pass for the answer.
 */
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

/** An empty object or a progress line is not an answer. */
function mayBeAnswer(fields: JsonObject): boolean {
  return Object.keys(fields).length > 0 && !PROGRESS_TYPES.has(fields.type)
}

function withoutResultType(fields: JsonObject): JsonObject {
  if (fields.type !== 'result') return fields
  const { type: _, ...answer } = fields
  return answer
}
