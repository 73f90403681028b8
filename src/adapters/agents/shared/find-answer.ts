import { ObjectScanner } from './object-scanner.ts'
import { type JsonObject, parseJsonObject } from './parse-json-object.ts'
import { cleanJson } from './storable-json.ts'

/** Only this much of the end of the output is searched. */
const TAIL_CHARACTERS = 1024 * 1024
/** How often a character may be read on average. Hostile output that needs more is given up. */
const EFFORT = 4
const PROGRESS_TYPES: ReadonlySet<unknown> = new Set(['text', 'tool-call', 'tool-result', 'usage'])

/**
 * Finds an agent's answer: its last result line, or else the last JSON object in its output. A verdict is the answer
 * only if nothing follows it, because reviewers quote what they read, and what they read may contain a verdict.
 */
export function findAnswer(output: string): unknown {
  const tail = wholeLinesAtEnd(output)
  const last = lastObject(tail)
  if (last !== undefined && isVerdict(last.fields)) return last.isAtEnd ? answerOf(last.fields) : undefined
  const line = lastResultLine(tail)
  if (line === undefined) return last === undefined ? undefined : answerOf(last.fields)
  return isVerdict(line) ? undefined : answerOf(line)
}

function isVerdict(fields: JsonObject): boolean {
  return 'verdict' in fields
}

function answerOf(fields: JsonObject): unknown {
  return cleanJson(withoutResultType(fields))
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

type Found = {
  readonly fields: JsonObject
  /** Whether only the end of a fence, or what the answer has cost, follows it. */
  readonly isAtEnd: boolean
}

function lastObject(text: string): Found | undefined {
  const scanner = new ObjectScanner(text)
  const limit = text.length * EFFORT
  let found: { readonly fields: JsonObject; readonly end: number } | undefined
  let parsed = 0
  let at = text.indexOf('{')
  while (at !== -1 && scanner.steps + parsed <= limit) {
    const end = scanner.endOf(at) ?? at
    const fields = end === at ? undefined : parseJsonObject(text.slice(at, end))
    parsed += end - at
    if (fields !== undefined && mayBeAnswer(fields)) found = { fields, end }
    at = text.indexOf('{', fields === undefined ? at + 1 : end)
  }
  return found && { fields: found.fields, isAtEnd: isEnd(text.slice(found.end)) }
}

function isEnd(rest: string): boolean {
  return rest.split('\n').every((line) => /^[\s`]*$/.test(line) || isUsage(line))
}

function isUsage(line: string): boolean {
  return parseJsonObject(line)?.type === 'usage'
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
