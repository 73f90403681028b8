import type { Conversation, Message } from './conversation.ts'
import type { Emit } from './event-stream.ts'
import { freshName } from './fresh-name.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.ts'
import { piecesOf, type Reply, type ToolCall } from './reply.ts'
import { inputTokensOf, OUTPUT_TOKENS } from './token-usage.ts'
import type { Asked, Wire } from './wire.ts'

const ROLES: ReadonlySet<unknown> = new Set<Message['role']>(['user', 'assistant', 'tool'])

/** OpenAI Chat Completions. */
export const chatWire: Wire = {
  name: 'chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read,
  isStreamed: (asked) => asked.body['stream'] === true,
  whole: (asked, reply) => ({
    ...envelope(asked),
    object: 'chat.completion',
    choices: [{ index: 0, message: wholeMessage(reply), finish_reason: finishReason(reply) }],
    usage: usageOf(asked),
  }),
  stream,
  error: (status, message) => ({
    error: { message, type: status === 429 ? 'rate_limit_exceeded' : 'invalid_request_error', code: null },
  }),
}

function read(body: JsonObject): Conversation {
  const schema = objectOf(objectOf(body['response_format'])['json_schema'])['schema']
  const functions = objectsOf(body['tools']).map((tool) => objectOf(tool['function']))
  return {
    messages: objectsOf(body['messages']).map(readMessage),
    tools: functions.map((tool) => ({ name: textOf(tool['name']), schema: objectOf(tool['parameters']) })),
    ...(schema === undefined ? {} : { answerSchema: objectOf(schema) }),
  }
}

function readMessage(message: JsonObject): Message {
  const content = message['content']
  const texts =
    typeof content === 'string' ? [content] : objectsOf(content).map((part) => textOf(part['text']))
  return {
    role: ROLES.has(message['role']) ? (message['role'] as Message['role']) : 'system',
    text: texts.join('\n'),
    callsTools: objectsOf(message['tool_calls']).length > 0,
  }
}

function envelope(asked: Asked): JsonObject {
  return {
    id: freshName('chatcmpl-'),
    created: Math.floor(Date.now() / 1000),
    model: asked.body['model'],
  }
}

function usageOf(asked: Asked): JsonObject {
  const input = inputTokensOf(asked.body)
  return { prompt_tokens: input, completion_tokens: OUTPUT_TOKENS, total_tokens: input + OUTPUT_TOKENS }
}

function wholeMessage(reply: Reply): JsonObject {
  const content = reply.text === '' ? null : reply.text
  if (reply.calls.length === 0) return { role: 'assistant', content }
  return { role: 'assistant', content, tool_calls: reply.calls.map(toolCall) }
}

function toolCall(call: ToolCall): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }
}

function finishReason(reply: Reply): string {
  return reply.calls.length > 0 ? 'tool_calls' : 'stop'
}

async function stream(asked: Asked, reply: Reply, emit: Emit, pause: () => Promise<void>): Promise<void> {
  const chunk = { ...envelope(asked), object: 'chat.completion.chunk' }
  const send = (delta: JsonObject, finish: string | null = null) =>
    emit({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] })
  send({ role: 'assistant', content: '' })
  for (const content of piecesOf(reply.text)) send({ content })
  await pause()
  for (const [index, call] of reply.calls.entries()) send({ tool_calls: [{ index, ...toolCall(call) }] })
  send({}, finishReason(reply))
  emit({ ...chunk, choices: [], usage: usageOf(asked) })
  emit('[DONE]')
}
