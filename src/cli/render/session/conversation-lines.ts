import type { WireMessage } from '../../../contract/message.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { type BodyExtent, bodyLines } from './message-body.ts'

/** A message of a conversation: who to whom, what it is, when, and its text, indented. */
export function conversationLines(message: WireMessage, paint: Paint, extent: BodyExtent): readonly string[] {
  const { type, subject } = message
  const time = paint('dim', clockTime(new Date(message.createdAt)))
  const names = `${paint('accent', senderName(message))} -> ${recipientName(message)}`
  const head = `${time} ${names} ${paint('dim', [type, ...notesOf(message)].join(', '))}`
  const lines = bodyLines(message, extent)
  return [head, ...(subject === '' ? [] : [`  ${paint('strong', safeLine(subject))}`]), ...lines]
}

/** Who wrote to whom. */
export function messageNames(message: WireMessage): string {
  return `${senderName(message)} -> ${recipientName(message)}`
}

export function senderName({ from, fromRole }: WireMessage): string {
  return safeLine(fromRole ?? plainName(from))
}

export function recipientName({ to, toRole }: WireMessage): string {
  return safeLine(toRole ?? plainName(to))
}

function plainName(address: string): string {
  if (address === 'engine') return 'orchestrator'
  if (address === 'broadcast') return 'everyone'
  return address.replace(/^role:/, '')
}

function notesOf({ priority, status, reason, overdueAt, requiresResponse, deadline }: WireMessage) {
  return [
    ...(priority === 'normal' ? [] : [priority]),
    ...(status === 'failed' ? [`failed: ${safeLine(reason ?? '', 100)}`] : []),
    ...(overdueAt === undefined ? [] : ['no reply by the deadline']),
    ...(overdueAt === undefined && requiresResponse && deadline !== undefined
      ? [`reply by ${clockTime(new Date(deadline))}`]
      : []),
  ]
}
