import type { JsonObject } from './json-object.ts'

export type Message = {
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  readonly text: string
  readonly callsTools: boolean
}

export type OfferedTool = {
  readonly name: string
  readonly schema: JsonObject
  /** Whether the tool takes a text instead of an object. */
  readonly freeform?: boolean
  /** The group in which the program offers the tool, if the format has groups. */
  readonly namespace?: string
}

/** The content of a request, independent of its format. */
export type Conversation = {
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  /** The JSON schema that the program wants the answer to have, if any. */
  readonly answerSchema?: JsonObject
}

/** The prompt that a conversation is at, and how far it is played. */
export type Place = { readonly prompt: string; readonly step: number }

/**
 * The last user message with a script, or else the last user message, and how many replies with tool calls followed it.
 * Everything comes from the request, so parallel sessions, retries and resumed conversations need no state here, and a
 * message without a script ("go on", or the result of a tool) continues the script before it.
 */
export function placeIn({ messages }: Conversation, hasScript: (text: string) => boolean): Place {
  const scripted = messages.findLastIndex((message) => message.role === 'user' && hasScript(message.text))
  const at = scripted === -1 ? messages.findLastIndex((message) => message.role === 'user') : scripted
  const prompt = messages[at]?.text ?? ''
  return { prompt, step: messages.slice(at + 1).filter((message) => message.callsTools).length }
}
