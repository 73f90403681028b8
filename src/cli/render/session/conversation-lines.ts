import type { WireMessage } from '../../../contract/message.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine, safeText } from '../text/safe-text.ts'

/** A message of a conversation: who to whom, what it is, when, and its text, indented. */
export function conversationLines(message: WireMessage, paint: Paint): readonly string[] {
  const { type, subject, body, bodyBytes } = message
  const time = paint('dim', clockTime(new Date(message.createdAt)))
  const names = `${paint('accent', senderName(message))} -> ${recipientName(message)}`
  const head = `${time} ${names} ${paint('dim', [type, ...notesOf(message)].join(', '))}`
  const lines = safeText(body)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
  return [
    head,
    ...(subject === '' ? [] : [`  ${paint('strong', safeLine(subject))}`]),
    ...lines,
    ...(bodyBytes === undefined || body.length >= bodyBytes / 2
      ? []
      : [`  (${bodyBytes} bytes in all: muster messages ${message.id})`]),
  ]
}

/** Who wrote to whom. */
export function messageNames(message: WireMessage): string {
  return `${senderName(message)} -> ${recipientName(message)}`
}

function senderName({ from, fromRole }: WireMessage): string {
  return safeLine(fromRole ?? plainName(from))
}

function recipientName({ to, toRole }: WireMessage): string {
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
