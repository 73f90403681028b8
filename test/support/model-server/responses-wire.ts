import type { Conversation, Message, OfferedTool } from './conversation.ts'
import type { Emit } from './event-stream.ts'
import { freshName } from './fresh-name.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.ts'
import { piecesOf, type Reply, type ToolCall } from './reply.ts'
import { inputTokensOf, OUTPUT_TOKENS } from './token-usage.ts'
import type { Asked, Wire } from './wire.ts'

/** OpenAI Responses. */
export const responsesWire: Wire = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  read,
  isStreamed: (asked) => asked.body['stream'] === true,
  whole: (asked, reply) => completed(asked, envelope(asked), outputOf(reply)),
  stream,
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_exceeded' : 'invalid_request_error',
      code: null,
      param: null,
    },
  }),
}

function read(body: JsonObject): Conversation {
  const input = body['input']
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)
  const schema = objectOf(objectOf(body['text'])['format'])['schema']
  return {
    messages: withCallsTogether(items.map(readItem)),
    tools: objectsOf(body['tools']).flatMap(readTool),
    ...(schema === undefined ? {} : { answerSchema: objectOf(schema) }),
  }
}

function readItem(item: JsonObject): Message {
  const type = textOf(item['type'])
  if (type.endsWith('_call')) return { role: 'assistant', text: '', callsTools: true }
  if (type.endsWith('_output')) return { role: 'tool', text: '', callsTools: false }
  const { content } = item
  const texts =
    typeof content === 'string' ? [content] : objectsOf(content).map((part) => textOf(part['text']))
  const role = item['role']
  return {
    role: role === 'user' || role === 'assistant' ? role : 'system',
    text: texts.join('\n'),
    callsTools: false,
  }
}

/** This format has each call as a separate item. Adjacent calls belong to one reply. */
function withCallsTogether(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message, at) => !(message.callsTools && messages[at - 1]?.callsTools === true))
}

function readTool(tool: JsonObject): readonly OfferedTool[] {
  if (tool['type'] === 'namespace') {
    const namespace = textOf(tool['name'])
    return objectsOf(tool['tools'])
      .flatMap(readTool)
      .map((inner) => ({ ...inner, namespace }))
  }
  const name = textOf(tool['name'] ?? tool['type'])
  const offered = { name, schema: objectOf(tool['parameters']) }
  return [tool['type'] === 'custom' ? { ...offered, freeform: true } : offered]
}

function envelope(asked: Asked): JsonObject {
  return {
    id: freshName('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'in_progress',
    model: asked.body['model'],
    output: [],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    error: null,
    incomplete_details: null,
    metadata: {},
  }
}

function completed(asked: Asked, response: JsonObject, output: readonly JsonObject[]): JsonObject {
  const input = inputTokensOf(asked.body)
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: OUTPUT_TOKENS,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + OUTPUT_TOKENS,
  }
  return { ...response, status: 'completed', output, usage }
}

function outputOf(reply: Reply): readonly JsonObject[] {
  return [...(reply.text === '' ? [] : [messageItem(reply.text)]), ...reply.calls.map(callItem)]
}

function messageItem(text: string): JsonObject {
  return {
    type: 'message',
    id: freshName('msg_'),
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
}

function callItem(call: ToolCall): JsonObject {
  const known = {
    id: freshName('fc_'),
    call_id: call.id,
    name: call.name,
    status: 'completed',
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
  }
  if (call.freeform) return { type: 'custom_tool_call', ...known, input: textOf(call.input) }
  return { type: 'function_call', ...known, arguments: JSON.stringify(call.input) }
}

async function stream(asked: Asked, reply: Reply, emit: Emit, pause: () => Promise<void>): Promise<void> {
  let sequence = 0
  const send = (type: string, fields: JsonObject) => {
    emit({ type, ...fields, sequence_number: sequence }, type)
    sequence += 1
  }
  const response = envelope(asked)
  const output = outputOf(reply)
  send('response.created', { response })
  send('response.in_progress', { response })
  const message = output.find((item) => item['type'] === 'message')
  if (message === undefined) await pause()
  for (const [index, item] of output.entries()) {
    if (item === message) await streamMessage(send, index, item, reply.text, pause)
    else streamCall(send, index, item)
    send('response.output_item.done', { output_index: index, item })
  }
  send('response.completed', { response: completed(asked, response, output) })
}

type Send = (type: string, fields: JsonObject) => void

async function streamMessage(
  send: Send,
  index: number,
  item: JsonObject,
  text: string,
  pause: () => Promise<void>,
): Promise<void> {
  const at = { item_id: item['id'], output_index: index, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [] }
  send('response.output_item.added', {
    output_index: index,
    item: { ...item, status: 'in_progress', content: [] },
  })
  send('response.content_part.added', { ...at, part })
  for (const delta of piecesOf(text)) send('response.output_text.delta', { ...at, delta })
  await pause()
  send('response.output_text.done', { ...at, text })
  send('response.content_part.done', { ...at, part: { ...part, text } })
}

function streamCall(send: Send, index: number, item: JsonObject): void {
  const isFunction = item['type'] === 'function_call'
  const field = isFunction ? 'arguments' : 'input'
  const type = isFunction ? 'response.function_call_arguments' : 'response.custom_tool_call_input'
  const at = { item_id: item['id'], output_index: index }
  send('response.output_item.added', {
    output_index: index,
    item: { ...item, status: 'in_progress', [field]: '' },
  })
  send(`${type}.delta`, { ...at, delta: item[field] })
  send(`${type}.done`, { ...at, [field]: item[field] })
}
