import type { WireMessage } from '../../../contract/message.ts'
import type { Output } from '../../output.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { safeLine, safeText } from '../text/safe-text.ts'
import { recipientName, senderName } from './conversation-lines.ts'
import { bodyLines } from './message-body.ts'

const TONES = {
  queued: 'warn',
  delivered: 'plain',
  acknowledged: 'dim',
  failed: 'bad',
} as const satisfies Record<WireMessage['status'], Tone>

/** One message of a list: a line about it, then its text, indented. `task` is the short name of its sender's task. */
export function messageLines(
  message: WireMessage,
  { paint, verbose }: Pick<Output, 'paint' | 'verbose'>,
  task?: string,
): readonly string[] {
  const { id, from, inReplyTo } = message
  const time = paint('dim', clockTime(new Date(message.createdAt)))
  const reply = inReplyTo === undefined ? '' : ` in reply to ${inReplyTo}`
  const sender = task === undefined ? senderName(message) : `${task} (${safeLine(from)})`
  const names = `${sender} -> ${recipientName(message)}`
  const head = `${time} ${paint('accent', id)} ${aboutWords(message, paint, `${names}${reply}`)}`
  const subject = message.subject === '' ? [] : [`  ${paint('strong', safeLine(message.subject))}`]
  return [head, ...subject, ...bodyLines(message, verbose ? 'whole' : 'start')]
}

/** Nobody receives the output of a stage as a message, so its receipt says nothing. */
function aboutWords({ kind, type, status, reason }: WireMessage, paint: Paint, names: string): string {
  if (kind === 'output') return `${type} ${names}`
  const receipt = reason === undefined ? status : `${status}: ${safeLine(reason, 100)}`
  return `${kind} ${names} (${paint(TONES[status], receipt)})`
}

/** A message for an agent: no colours, and the ID first. */
export function messageBlock(message: WireMessage): readonly string[] {
  const subject = message.subject === '' ? '' : `: ${safeLine(message.subject)}`
  const reply = message.inReplyTo === undefined ? '' : ` in reply to ${message.inReplyTo}`
  const urgency = message.priority === 'normal' ? '' : ` (${message.priority})`
  return [
    `${message.id} ${message.kind} from ${senderOf(message)}${reply}${urgency}${subject}`,
    ...textLines(message.body),
  ]
}

function senderOf({ from, fromRole }: WireMessage): string {
  return fromRole === undefined ? safeLine(from) : `${safeLine(fromRole)} (${safeLine(from)})`
}

function textLines(text: string): readonly string[] {
  return safeText(text)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
}
