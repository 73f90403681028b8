import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { AskRequest } from '../../domain/message/message-request.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { changeReceipt } from '../receipts/change-receipt.ts'
import type { Author } from './author.ts'
import { findRecipient } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { nudge } from './nudge.ts'
import { type Post, postMessage } from './post-message.ts'
import { findPredecessor } from './predecessor.ts'
import { settleEngineMessages } from './settle-engine-messages.ts'
import { type Patience, waitFor } from './wait-for.ts'

export type Asked = {
  readonly question: Message
  /** Given when it came in time; it stays in the inbox until it is acknowledged. */
  readonly answer?: Message
}

/** Asks a person, a role or a predecessor. Without patience the answer arrives in the inbox alone. */
export async function askQuestion(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: Omit<AskRequest, 'type'>,
  patience?: Patience,
): Promise<Result<Asked, MessageFailure>> {
  const posted = await postMessage(needs, sessionId, request.key, async (records, author) => {
    const addressed = await address(records, author, request.to)
    if (!addressed.ok) return addressed
    const subject = request.subject === undefined ? {} : { subject: request.subject }
    return success({ ...addressed.value, ...subject, kind: 'question', body: request.question })
  })
  if (!posted.ok) return posted
  const { message: question, readers } = posted.value
  await nudge(needs, readers)
  if (question.recipient === 'engine') await settleEngineMessages(needs, sessionId)
  if (patience === undefined) return success({ question })
  const stream = question.jobId ?? sessionId
  const answer = await waitFor(needs, stream, patience, () => takeAnswer(needs, sessionId, question))
  return success({ question, ...(answer === undefined ? {} : { answer }) })
}

async function takeAnswer(
  needs: MessageNeeds,
  sessionId: SessionId,
  question: Message,
): Promise<Message | undefined> {
  if ((await needs.store.read.messages.findAnswer(question.id)) === undefined) return undefined
  return await needs.store.transact(async (records) => {
    const answer = await records.messages.findAnswer(question.id)
    if (answer?.state.type !== 'queued') return answer
    return await changeReceipt(
      records,
      answer,
      { type: 'message-delivery', to: sessionId },
      needs.clock.now(),
    )
  })
}

async function address(
  records: Records,
  author: Author,
  to: string,
): Promise<Result<Pick<Post, 'recipient' | 'metadata'>, MessageFailure>> {
  if (to !== 'predecessor') {
    const found = await findRecipient(records, author, to)
    return found.ok ? success({ recipient: found.value }) : found
  }
  const predecessor = await findPredecessor(records, author)
  return predecessor === undefined
    ? failure({ type: 'predecessor-absent' })
    : success({ recipient: 'engine', metadata: { predecessor } })
}
