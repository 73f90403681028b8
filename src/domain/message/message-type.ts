import type { MessageKind } from './message-content.ts'

/** What a message is about, for those who read a conversation. What Muster does with it follows from its kind. */
export const MESSAGE_TYPES = [
  'task',
  'result',
  'question',
  'feedback',
  'status',
  'finding',
  'artifact',
  'review',
  'design',
] as const

export type MessageType = (typeof MESSAGE_TYPES)[number]

/** The most urgent first: an inbox is read in this order. */
export const MESSAGE_PRIORITIES = ['critical', 'high', 'normal', 'low'] as const

export type MessagePriority = (typeof MESSAGE_PRIORITIES)[number]

const USUAL_TYPES: Readonly<Record<MessageKind, MessageType>> = {
  text: 'feedback',
  answer: 'feedback',
  progress: 'status',
  complete: 'result',
  handoff: 'status',
  question: 'question',
  output: 'result',
}

/** The type of a message whose sender names none. */
export function usualTypeOf(kind: MessageKind): MessageType {
  return USUAL_TYPES[kind]
}
