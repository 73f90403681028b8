import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describeMessageFailure } from '../../domain/message/describe-message-failure.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'

/** Data as an agent reads it: JSON as text, which every client shows its model. */
export function toolResult(data: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }] }
}

/** A refusal the model can act on; not an error of the protocol, which some clients do not show it. */
export function toolFailure(failure: MessageFailure): CallToolResult {
  const { type, ...details } = failure
  const text = JSON.stringify({ error: { type, message: describeMessageFailure(failure), ...details } })
  return { content: [{ type: 'text', text }], isError: true }
}
