import { assertNever } from '../../domain/assert-never.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import type { MessageNeeds } from './message-needs.ts'

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
  switch (message.kind) {
    case 'complete':
      return needs.onComplete(sessionId)
    case 'handoff': {
      const { nextSteps, reason, ...to } = message.metadata
      return needs.onHandoff(sessionId, { summary: message.body, nextSteps, reason, ...to })
    }
    case 'question': {
      const { predecessor } = message.metadata
      return predecessor === undefined ? undefined : needs.onQuestion(message, predecessor)
    }
    case 'text':
    case 'answer':
    case 'progress':
    case 'output':
      return
    default:
      return assertNever(message)
  }
}
