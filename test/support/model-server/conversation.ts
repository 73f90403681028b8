import type { JsonObject } from './json-object.ts'
import { hasScript } from './step.ts'

export type Message = {
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  readonly text: string
  readonly callsTools: boolean
}

export type OfferedTool = {
  readonly name: string
  readonly schema: JsonObject
  /** Takes one text instead of an object. */
  readonly freeform?: boolean
  /** The group the program offers it in, where its wire has such. */
  readonly namespace?: string
}

/** What a request says, whichever wire it came by. */
export type Conversation = {
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  /** The shape that the answer must have, when the program asks for one. */
  readonly answerSchema?: JsonObject
}

/** Where in which prompt a conversation stands. */
export type Place = { readonly prompt: string; readonly step: number }

/**
 * The last user message with a script, or else the last one, and how many replies with tool calls came after it.
 * All from the request alone, so parallel sessions, retries and resumed conversations need no memory here, and
 * a message without a script ("go on") continues the script before it.
 */
export function placeIn(conversation: Conversation): Place {
  const { messages } = conversation
  const scripted = messages.findLastIndex((message) => message.role === 'user' && hasScript(message.text))
  const at = scripted === -1 ? messages.findLastIndex((message) => message.role === 'user') : scripted
  const prompt = messages[at]?.text ?? ''
  return { prompt, step: messages.slice(at + 1).filter((message) => message.callsTools).length }
}
