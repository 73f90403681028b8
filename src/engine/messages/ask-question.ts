import { predecessorOf } from '../../domain/attempt/predecessor-of.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { AskRequest } from '../../domain/message/message-request.ts'
import type { Recipient } from '../../domain/message/recipient.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import type { Author } from './author.ts'
import { findRecipient } from './find-recipient.ts'
import type { MessageNeeds } from './message-needs.ts'
import { nudge } from './nudge.ts'
import { postMessage } from './post-message.ts'
import { settleEngineMessages } from './settle-engine-messages.ts'
import { type Patience, waitFor } from './wait-for.ts'

export type Asked = {
  readonly question: Message
  /** Present if it came in time. It then counts as acknowledged and isn't in the inbox. */
  readonly answer?: Message
}

/** Asks a person, a role or a predecessor. Without patience, the answer only arrives in the inbox. */
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
    const { recipient, ...metadata } = addressed.value
    return success({ recipient, ...subject, content: { kind: 'question', metadata }, body: request.question })
  })
  if (!posted.ok) return posted
  const { message: question, readers } = posted.value
  await nudge(needs, question, readers)
  if (question.recipient === 'engine') await settleEngineMessages(needs, sessionId)
  if (patience === undefined) return success({ question })
  const answer = await waitForAnswer(needs, sessionId, question, patience)
  return success({ question, ...(answer === undefined ? {} : { answer }) })
}

/** The answer, if it comes in time. If the asker has stopped waiting, the answer stays in the inbox. */
async function waitForAnswer(
  needs: MessageNeeds,
  sessionId: SessionId,
  question: Message,
  patience: Patience,
): Promise<Message | undefined> {
  const find = () => needs.store.read.messages.findAnswer(question.id)
  needs.awaitedAnswers.add(question.id)
  try {
    const answer = await waitFor(needs, question.jobId ?? sessionId, patience, find)
    if (answer !== undefined && patience.signal?.aborted !== true) {
      return await takeAnswer(needs, sessionId, answer)
    }
  } finally {
    needs.awaitedAnswers.delete(question.id)
  }
  // Whatever was stored while the sender still seemed to wait got no notice.
  const late = await find()
  if (late?.state.type === 'queued') await nudge(needs, late, [sessionId])
  return undefined
}

function takeAnswer(
  needs: MessageNeeds,
  sessionId: SessionId,
  { id }: Message,
): Promise<Message | undefined> {
  return needs.store.transact(async (records) => {
    const answer = await records.messages.find(id)
    return answer && (await settleReceipt(records, answer, sessionId, needs.clock.now()))
  })
}

async function address(
  records: Records,
  author: Author,
  to: string,
): Promise<Result<{ readonly recipient: Recipient; readonly predecessor?: SessionId }, MessageFailure>> {
  if (to !== 'predecessor') {
    const found = await findRecipient(records, author, to)
    return found.ok ? success({ recipient: found.value }) : found
  }
  const predecessor = await findPredecessor(records, author)
  return predecessor === undefined
    ? failure({ type: 'predecessor-absent' })
    : success({ recipient: 'engine', predecessor })
}

/** The session that handed this attempt over, or the session of the attempt before it. */
async function findPredecessor(records: Records, author: Author): Promise<SessionId | undefined> {
  const { attemptId, taskId } = author.place
  const attempt = attemptId === undefined ? undefined : await records.attempts.find(attemptId)
  const left = attempt?.handoffs.at(-1)?.from
  if (left !== undefined || attempt === undefined || taskId === undefined) return left
  return predecessorOf(attempt, await records.attempts.listOfTask(taskId))?.sessionId
}
