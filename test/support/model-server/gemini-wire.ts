import type { Conversation, Message } from './conversation.ts'
import type { Emit } from './event-stream.ts'
import { freshName } from './fresh-name.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from './json-object.ts'
import { piecesOf, type Reply, type ToolCall } from './reply.ts'
import { inputTokensOf, OUTPUT_TOKENS } from './token-usage.ts'
import type { Asked, Wire } from './wire.ts'

const ERROR_STATES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

/** Gemini generateContent and streamGenerateContent. */
export const geminiWire: Wire = {
  name: 'gemini',
  matches: (path) => /:(generateContent|streamGenerateContent)$/.test(path),
  read,
  isStreamed: (asked) => asked.path.endsWith(':streamGenerateContent'),
  whole: (asked, reply) =>
    candidate(
      asked,
      [...(reply.text === '' ? [] : [{ text: reply.text }]), ...reply.calls.map(callPart)],
      'STOP',
    ),
  stream,
  error: (status, message) => ({
    error: { code: status, message, status: ERROR_STATES[status] ?? 'INTERNAL' },
  }),
}

function read(body: JsonObject): Conversation {
  const settings = objectOf(body['generationConfig'])
  const schema = settings['responseJsonSchema'] ?? settings['responseSchema']
  const declared = objectsOf(body['tools']).flatMap((tool) => objectsOf(tool['functionDeclarations']))
  return {
    messages: objectsOf(body['contents']).map(readContent),
    tools: declared.map((tool) => ({
      name: textOf(tool['name']),
      schema: objectOf(tool['parametersJsonSchema'] ?? tool['parameters']),
    })),
    ...(schema === undefined ? {} : { answerSchema: objectOf(schema) }),
  }
}

function readContent(content: JsonObject): Message {
  const parts = objectsOf(content['parts'])
  return {
    role: content['role'] === 'model' ? 'assistant' : 'user',
    text: parts.map((part) => textOf(part['text'])).join('\n'),
    callsTools: parts.some((part) => part['functionCall'] !== undefined),
  }
}

function callPart(call: ToolCall): JsonObject {
  return {
    functionCall: { id: call.id, name: call.name, args: call.input },
    // Programs must send this back with the call. Any base64 is valid.
    thoughtSignature: 'c2NyaXB0',
  }
}

function candidate(asked: Asked, parts: readonly JsonObject[], finishReason?: string): JsonObject {
  const input = inputTokensOf(asked.body)
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        index: 0,
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: OUTPUT_TOKENS,
      totalTokenCount: input + OUTPUT_TOKENS,
    },
    modelVersion: 'scripted',
    responseId: freshName('r'),
  }
}

async function stream(asked: Asked, reply: Reply, emit: Emit, pause: () => Promise<void>): Promise<void> {
  for (const text of piecesOf(reply.text)) emit(candidate(asked, [{ text }]))
  await pause()
  const calls = reply.calls.map(callPart)
  emit(candidate(asked, calls.length === 0 ? [{ text: '' }] : calls, 'STOP'))
}
