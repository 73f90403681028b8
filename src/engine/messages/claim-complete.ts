import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { CompleteRequest } from '../../domain/message/message-request.ts'
import { type Result, success } from '../../domain/result.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postMessage } from './post-message.ts'
import { settleEngineMessages } from './settle-engine-messages.ts'

/** A session's claim to be done. It is a claim: whoever judges the attempt looks for himself. */
export async function claimComplete(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: Omit<CompleteRequest, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const posted = await postMessage(needs, sessionId, request.key, async () =>
    success({
      kind: 'complete',
      recipient: 'engine',
      body: request.summary,
      metadata: request.answer === undefined ? {} : { answer: request.answer },
    }),
  )
  if (!posted.ok) return posted
  const { message } = posted.value
  await settleEngineMessages(needs, sessionId)
  return success((await needs.store.read.messages.find(message.id)) ?? message)
}
