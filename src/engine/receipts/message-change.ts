import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { EventPlace } from '../../domain/event/event-place.ts'
import { type MessageEvents, messageEvent } from '../../domain/event/message-events.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Change } from '../../ports/store/change.ts'

/** The event and audit row stored with a message's change. The event has the start of the text; the audit row none. */
export function messageChange(
  message: Message,
  actor: AuditEntry['actor'],
  type: keyof MessageEvents,
  place?: EventPlace,
): Change {
  const { id, kind, sender, recipient } = message
  const bytes = message.wholeBody?.bytes ?? new TextEncoder().encode(message.body).length
  return {
    audit: { actor, action: type.replace('_', '-'), subject: id, detail: { kind, sender, recipient, bytes } },
    events: [messageEvent(type, message, place)],
  }
}
