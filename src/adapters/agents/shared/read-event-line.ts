import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { storableJson } from './storable-json.ts'
import { storableText } from './storable-text.ts'

type Fields = {
  readonly type?: unknown
  readonly text?: unknown
  readonly name?: unknown
  readonly input?: unknown
  readonly output?: unknown
  readonly inputTokens?: unknown
  readonly outputTokens?: unknown
  readonly costUsd?: unknown
}

/**
 * Reads one line of the output protocol. A JSON object with the type and the shape of one of our events is that event.
 * Every other line is text. Never throws, because an agent may print anything.
 */
export function readEventLine(line: string): readonly AgentEvent[] {
  return [readEvent(line) ?? { type: 'text', text: storableText(line.replace(/\r$/, '')) }]
}

function readEvent(line: string): AgentEvent | undefined {
  const fields: Fields | undefined = parseJsonObject(line)
  if (fields === undefined) return undefined
  switch (fields.type) {
    case 'text':
      return readText(fields)
    case 'tool-call':
      return readToolCall(fields)
    case 'tool-result':
      return readToolResult(fields)
    case 'usage':
      return readUsage(fields)
    case 'result': {
      const { type: _, ...answer } = fields
      return { type: 'result', answer: storableJson(answer) }
    }
    default:
      return undefined
  }
}

function readText(fields: Fields): AgentEvent | undefined {
  const text = fields.text
  return typeof text === 'string' ? { type: 'text', text: storableText(text) } : undefined
}

function readToolCall(fields: Fields): AgentEvent | undefined {
  const name = fields.name
  if (typeof name !== 'string') return undefined
  return { type: 'tool-call', name: storableText(name), input: storableJson(fields.input) }
}

function readToolResult(fields: Fields): AgentEvent | undefined {
  const name = fields.name
  if (typeof name !== 'string') return undefined
  return { type: 'tool-result', name: storableText(name), output: storableJson(fields.output) }
}

function readUsage(fields: Fields): AgentEvent | undefined {
  const { inputTokens, outputTokens, costUsd } = fields
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined
  if (costUsd === undefined || costUsd === null) return { type: 'usage', inputTokens, outputTokens }
  if (typeof costUsd !== 'number' || !Number.isFinite(costUsd) || costUsd < 0) return undefined
  return { type: 'usage', inputTokens, outputTokens, costUsd }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
