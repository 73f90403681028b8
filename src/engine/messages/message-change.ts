import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { JobEventType } from '../../domain/event/job-event.ts'
import { parseId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Change } from '../../ports/store/change.ts'
import type { EventPlace } from './author.ts'

const PREVIEW = 500

/** What is stored beside a message's change: an event with the beginning of its text, an audit row with none. */
export function messageChange(
  message: Message,
  actor: AuditEntry['actor'],
  type: JobEventType,
  place: EventPlace = placeOfMessage(message),
): Change {
  const { id, kind, sender, recipient, subject, inReplyTo, state } = message
  const bytes = new TextEncoder().encode(message.body).length
  return {
    audit: { actor, action: type.replace('_', '-'), subject: id, detail: { kind, sender, recipient, bytes } },
    events: [
      {
        type,
        ...place,
        data: {
          messageId: id,
          kind,
          from: sender,
          to: recipient,
          subject,
          text: message.body.slice(0, PREVIEW),
          ...(inReplyTo === undefined ? {} : { inReplyTo }),
          ...(state.type === 'failed' ? { reason: state.reason } : {}),
        },
      },
    ],
  }
}

/** A message belongs to its job's stream, or to that of the session it is from or for. */
function placeOfMessage({ jobId, sender, recipient, state }: Message): EventPlace {
  const reader = state.type === 'delivered' ? state.to : undefined
  const ids = [sender, recipient, reader].map((text) => parseId('session', text ?? ''))
  const sessionId = ids.find((id) => id !== undefined)
  return {
    ...(jobId === undefined ? {} : { jobId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
}
