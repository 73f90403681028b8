import type { Conversation, Message } from './conversation.ts'
import type { Emit } from './event-stream.ts'
import { freshName } from './fresh-name.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.ts'
import { piecesOf, type Reply } from './reply.ts'
import { inputTokensOf, OUTPUT_TOKENS } from './token-usage.ts'
import type { Asked, Wire } from './wire.ts'

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/messages'),
  read,
  isStreamed: (asked) => asked.body['stream'] === true,
  whole: (asked, reply) => ({
    ...envelope(asked, OUTPUT_TOKENS),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.input })),
    ],
    stop_reason: stopReason(reply),
  }),
  stream,
  error: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: freshName('req_'),
  }),
}

function read(body: JsonObject): Conversation {
  const tools = objectsOf(body['tools']).map((tool) => ({
    name: textOf(tool['name']),
    schema: objectOf(tool['input_schema']),
  }))
  return { messages: objectsOf(body['messages']).map(readMessage), tools }
}

function readMessage(message: JsonObject): Message {
  const content = message['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const texts = blocks.filter((block) => block['type'] === 'text').map((block) => textOf(block['text']))
  return {
    role: message['role'] === 'assistant' ? 'assistant' : 'user',
    text: texts.join('\n'),
    callsTools: blocks.some((block) => block['type'] === 'tool_use'),
  }
}

function envelope(asked: Asked, outputTokens: number): JsonObject {
  return {
    id: freshName('msg_'),
    type: 'message',
    role: 'assistant',
    model: asked.body['model'],
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: inputTokensOf(asked.body),
      output_tokens: outputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
}

function stopReason(reply: Reply): string {
  return reply.calls.length > 0 ? 'tool_use' : 'end_turn'
}

async function stream(asked: Asked, reply: Reply, emit: Emit, pause: () => Promise<void>): Promise<void> {
  const send = (event: JsonObject & { readonly type: string }) => emit(event, event.type)
  let index = 0
  send({ type: 'message_start', message: envelope(asked, 1) })
  if (reply.text !== '' || reply.hang) {
    send({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
    for (const text of piecesOf(reply.text))
      send({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
    await pause()
    send({ type: 'content_block_stop', index })
    index += 1
  }
  for (const call of reply.calls) {
    send({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: call.id, name: call.name, input: {} },
    })
    for (const piece of piecesOf(JSON.stringify(call.input)))
      send({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: piece } })
    send({ type: 'content_block_stop', index })
    index += 1
  }
  const delta = { stop_reason: stopReason(reply), stop_sequence: null }
  send({ type: 'message_delta', delta, usage: { output_tokens: OUTPUT_TOKENS } })
  send({ type: 'message_stop' })
}
