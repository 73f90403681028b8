import { type MessageId, parseId, type SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { messageChange } from '../receipts/message-change.ts'
import { newMessage } from './new-message.ts'
import { createRuntimeCallbacks } from './runtime-callbacks.ts'
import { storeMessage } from './store-message.ts'

type Needs = Parameters<typeof createRuntimeCallbacks>[0] & Pick<EngineNeeds, 'wakeAt'>

/**
 * Once the deadline of a message has passed without a reply, its receipt says so, and its sender is told. The message
 * itself stays where it is: whoever reads it later may still reply.
 */
export async function expireMessage(needs: Needs, messageId: MessageId): Promise<void> {
  const readers = await needs.store.transact(async (records) => {
    const message = await records.messages.find(messageId)
    if (message?.deadline === undefined || message.overdueAt !== undefined) return []
    const now = needs.clock.now()
    if (message.deadline > now) {
      needs.wakeAt(message.deadline, { type: 'message-expire', messageId })
      return []
    }
    const silent = await records.messages.listUnreplied(messageId)
    if (silent.length === 0) return []
    const overdue = { ...message, overdueAt: now }
    await records.messages.save(overdue, messageChange(overdue, 'engine', 'message_overdue'))
    return await tellSender(needs, records, message, silent)
  })
  // A notice that is lost here loses nothing: the message is in the inbox.
  if (readers.length > 0) await createRuntimeCallbacks(needs).onMessage(readers)
}

/** People see the event. A session that has ended can't be told. */
async function tellSender(
  needs: Needs,
  records: Records,
  message: Message,
  silent: readonly Message[],
): Promise<readonly SessionId[]> {
  const id = parseId('session', message.sender)
  const sender = id === undefined ? undefined : await records.sessions.find(id)
  if (sender === undefined || sender.state.type === 'terminated') return []
  const { jobId, threadId, deadline } = message
  const names = silent.map(nameOf).join(', ')
  const made = newMessage(
    needs,
    { sender: 'engine', ...(jobId === undefined ? {} : { jobId }) },
    {
      recipient: sender.id,
      recipientRole: sender.role,
      threadId,
      inReplyTo: message.id,
      type: 'status',
      priority: 'high',
      subject: `No reply: ${message.subject}`.trimEnd(),
      body: `${names} did not reply to ${message.id} by ${deadline?.toISOString() ?? ''}. Continue without the reply, or ask somebody else.`,
      content: { kind: 'text', metadata: { status: 'blocked', overdue: message.id } },
    },
  )
  if (!made.ok) return []
  return (await storeMessage(needs, records, made.value, { actor: 'engine' })).readers
}

function nameOf({ recipient, recipientRole, state }: Message): string {
  const name = recipientRole === undefined ? recipient : `${recipientRole} (${recipient})`
  return state.type === 'queued' ? `${name}, who has not read it,` : name
}
