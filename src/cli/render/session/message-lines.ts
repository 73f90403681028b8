import type { WireMessage } from '../../../contract/message.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { safeLine, safeText } from '../text/safe-text.ts'

const TONES = {
  queued: 'warn',
  delivered: 'plain',
  acknowledged: 'dim',
  failed: 'bad',
} as const satisfies Record<WireMessage['status'], Tone>

/** One message: a line about it, then its text, indented. `task` is the short name of its sender's task. */
export function messageLines(message: WireMessage, paint: Paint, task?: string): readonly string[] {
  const { id, kind, from, to, status, reason } = message
  const time = paint('dim', clockTime(new Date(message.createdAt)))
  const receipt = paint(TONES[status], reason === undefined ? status : `${status}: ${safeLine(reason, 100)}`)
  const reply = message.inReplyTo === undefined ? '' : ` in reply to ${message.inReplyTo}`
  const sender = task === undefined ? safeLine(from) : `${task} (${safeLine(from)})`
  const head = `${time} ${paint('accent', id)} ${kind} ${sender} -> ${safeLine(to)}${reply} (${receipt})`
  const subject = message.subject === '' ? [] : [`  ${paint('strong', safeLine(message.subject))}`]
  return [head, ...subject, ...textLines(message.body)]
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
