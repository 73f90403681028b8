import { VERDICTS, type VerdictWord } from '../../../domain/review/verdict.ts'
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
 * only if nothing follows it, because reviewers quote what they read, and what they read may contain a verdict. Two
 * different verdicts are no answer: one of them may come from what the reviewer started, such as the tests.
 */
export function findAnswer(output: string): unknown {
  const tail = wholeLinesAtEnd(output)
  const found = findResult(tail) ?? findLastObject(tail)
  if (found === undefined) return undefined
  const isUsable = !isVerdict(found.fields) || (found.isAtEnd && isUncontested(tail, found))
  return isUsable ? answerOf(found.fields) : undefined
}

/** An approval counts only if no object speaks against it, even one that isn't a result line. */
function isUncontested(tail: string, { fields, verdicts }: Found): boolean {
  if (verdicts.size > 1) return false
  if (verdictIn(fields) !== 'APPROVED') return true
  return (findLastObject(tail)?.verdicts.size ?? 0) <= 1
}

type Found = {
  readonly fields: JsonObject
  /** Whether nothing follows that could mean something else. */
  readonly isAtEnd: boolean
  /** The verdicts of all objects of its kind: result lines, or objects without any. */
  readonly verdicts: ReadonlySet<string>
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

function findResult(text: string): Found | undefined {
  let last: { readonly fields: JsonObject; readonly end: number } | undefined
  const verdicts = new Set<string>()
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const fields = parseJsonObject(text.slice(start, end))
    if (fields?.type === 'result') {
      last ??= { fields, end }
      addVerdict(verdicts, fields)
    }
    end = start - 1
  }
  if (last === undefined) return undefined
  const { fields, end } = last
  // Objects that follow take nothing back, but an approval counts only if nothing speaks against it.
  const mayFollow = verdictIn(fields) === 'APPROVED' ? isUsage : isObject
  return { fields, isAtEnd: isEnd(text.slice(end), mayFollow), verdicts }
}

function findLastObject(text: string): Found | undefined {
  const scanner = new ObjectScanner(text)
  const limit = text.length * EFFORT
  const verdicts = new Set<string>()
  let found: { readonly fields: JsonObject; readonly end: number } | undefined
  let parsed = 0
  let at = text.indexOf('{')
  while (at !== -1 && scanner.steps + parsed <= limit) {
    const end = scanner.endOf(at) ?? at
    const fields = end === at ? undefined : parseJsonObject(text.slice(at, end))
    parsed += end - at
    if (fields !== undefined && mayBeAnswer(fields)) {
      found = { fields, end }
      addVerdict(verdicts, fields)
    }
    at = text.indexOf('{', fields === undefined ? at + 1 : end)
  }
  return found && { fields: found.fields, isAtEnd: isEnd(text.slice(found.end), isUsage), verdicts }
}

function addVerdict(verdicts: Set<string>, fields: JsonObject): void {
  const verdict = verdictIn(fields)
  if (verdict !== undefined) verdicts.add(verdict)
}

function verdictIn({ verdict }: JsonObject): VerdictWord | undefined {
  return VERDICTS.find((word) => word === String(verdict).trim().toUpperCase())
}

/** Whether only the end of a fence follows, and lines that may. */
function isEnd(rest: string, mayFollow: (line: string) => boolean): boolean {
  return rest.split('\n').every((line) => /^[\s`]*$/.test(line) || mayFollow(line))
}

/** What the answer has cost. */
function isUsage(line: string): boolean {
  return parseJsonObject(line)?.type === 'usage'
}

function isObject(line: string): boolean {
  const fields = parseJsonObject(line)
  return fields !== undefined && (fields.type === 'usage' || mayBeAnswer(fields))
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
