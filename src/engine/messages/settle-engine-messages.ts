import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import type { HandoffNotice, MessageNeeds } from './message-needs.ts'
import { predecessorOf } from './predecessor.ts'

/**
 * Acts on the messages that a session sent to the engine, oldest first. A message is acknowledged after its action,
 * so a crash in between repeats the action instead of losing it. A message whose action fails stays for the next
 * call.
 */
export async function settleEngineMessages(needs: MessageNeeds, sessionId: SessionId): Promise<void> {
  for (const message of await needs.store.read.messages.listForEngine(sessionId)) {
    try {
      await act(needs, sessionId, message)
    } catch (error) {
      needs.log.warn(
        { error: String(error), message: message.id },
        'a message to the engine could not be carried out yet',
      )
      return
    }
    await needs.store.transact(async (records) => {
      const current = await records.messages.find(message.id)
      if (current !== undefined) await settleReceipt(records, current, 'engine', needs.clock.now())
    })
  }
}

async function act(needs: MessageNeeds, sessionId: SessionId, message: Message): Promise<void> {
  if (message.kind === 'complete') return needs.onComplete(sessionId)
  if (message.kind === 'handoff') return needs.onHandoff(sessionId, noticeOf(message))
  const predecessor = predecessorOf(message)
  if (message.kind === 'question' && predecessor !== undefined) await needs.onQuestion(message, predecessor)
}

function noticeOf(message: Message): HandoffNotice {
  const { nextSteps, reason, to } = message.metadata as Readonly<
    Partial<Record<keyof HandoffNotice, unknown>>
  >
  return {
    summary: message.body,
    nextSteps: typeof nextSteps === 'string' ? nextSteps : '',
    reason: typeof reason === 'string' ? reason : '',
    ...(typeof to === 'string' ? { to } : {}),
  }
}
