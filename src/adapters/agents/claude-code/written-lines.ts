import { cleanText } from '../../../domain/clean-text.ts'
import type { Fields } from './json-fields.ts'

/** The first line of every conversation. It enables permission requests. */
export function initializeLine(): string {
  return request('initialize', { subtype: 'initialize', hooks: null })
}

export function interruptLine(count: number): string {
  return request(`interrupt-${count}`, { subtype: 'interrupt' })
}

export function messageLine(text: string): string {
  return JSON.stringify({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: cleanText(text) }] },
    parent_tool_use_id: null,
    session_id: '',
  })
}

export function allowLine(requestId: string, input: Fields): string {
  return response({ request_id: requestId, subtype: 'success' }, { behavior: 'allow', updatedInput: input })
}

export function denyLine(requestId: string, reason: string): string {
  return response(
    { request_id: requestId, subtype: 'success' },
    { behavior: 'deny', message: cleanText(reason) },
  )
}

/** Answers an unknown request, so that the program doesn't wait forever. */
export function unknownRequestLine(requestId: string): string {
  return response({ request_id: requestId, subtype: 'error', error: 'this request is not supported' })
}

function request(id: string, fields: Fields): string {
  return JSON.stringify({ type: 'control_request', request_id: id, request: fields })
}

function response(envelope: Fields, answer?: Fields): string {
  const reported = answer === undefined ? envelope : { ...envelope, response: answer }
  return JSON.stringify({ type: 'control_response', response: reported })
}
