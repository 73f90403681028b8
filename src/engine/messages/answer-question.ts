import { parseId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import type { MessageNeeds } from './message-needs.ts'
import { replyTo } from './reply-to.ts'
import { storeForeign } from './store-foreign.ts'

export type Reply = {
  readonly inReplyTo: string
  readonly body: string
  readonly key?: string | undefined
}

/** Replies as a person, or as the engine for a predecessor. The reply to a question is its answer. */
export async function answerQuestion(
  needs: MessageNeeds,
  sender: 'person' | 'engine',
  reply: Reply,
): Promise<Result<Message, MessageFailure>> {
  return await storeForeign(needs, sender, reply.key, async (records) => {
    const id = parseId('message', reply.inReplyTo)
    const original = id === undefined ? undefined : await records.messages.find(id)
    if (original === undefined || original.sender === 'person' || original.sender === 'engine')
      return failure({ type: 'message-not-found', id: reply.inReplyTo.slice(0, 100) })
    const addressed = await replyTo(records, original)
    if (!addressed.ok) return addressed
    await settleReceipt(records, original, sender, needs.clock.now())
    const job = original.jobId === undefined ? {} : { jobId: original.jobId }
    const { kind, ...draft } = addressed.value
    return success({ draft: { ...draft, content: { kind, metadata: {} }, body: reply.body }, ...job })
  })
}
