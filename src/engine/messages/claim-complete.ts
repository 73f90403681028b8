import type { SessionId } from '../../domain/id.ts'
import type { CompleteLetter } from '../../domain/message/letter.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postMessage } from './post-message.ts'
import { settleEngineMail } from './settle-engine-mail.ts'

/** A session's claim to be done. It is a claim: whoever judges the attempt looks for himself. */
export async function claimComplete(
  needs: MessageNeeds,
  sessionId: SessionId,
  letter: Omit<CompleteLetter, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const posted = await postMessage(needs, sessionId, letter.key, async () =>
    success({
      kind: 'complete',
      recipient: 'engine',
      body: letter.summary,
      metadata: letter.answer === undefined ? {} : { answer: letter.answer },
    }),
  )
  if (!posted.ok) return posted
  const { message } = posted.value
  await settleEngineMail(needs, sessionId)
  return success((await needs.store.read.messages.find(message.id)) ?? message)
}
