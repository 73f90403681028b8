import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { AskRequest } from '../../domain/message/message-request.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import { settleReceipt } from '../receipts/change-receipt.ts'
import type { Author } from './author.ts'
import { readExpectation } from './expectation.ts'
import { findPredecessor } from './find-predecessor.ts'
import { type Address, findRecipient } from './find-recipient.ts'
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
    const { predecessor, ...to } = addressed.value
    const expected = readExpectation({ ...request, requiresResponse: true }, needs.clock.now())
    if (!expected.ok) return expected
    const metadata = predecessor === undefined ? {} : { predecessor }
    const content = { kind: 'question', metadata } as const
    return success({ ...to, ...subject, ...expected.value, content, body: request.question })
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
    const waiter = { sessionId, stream: question.jobId ?? sessionId }
    const answer = await waitFor(needs, waiter, patience, find)
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
): Promise<Result<Address & { readonly predecessor?: SessionId }, MessageFailure>> {
  // Muster answers no questions itself.
  if (to === 'orchestrator' && author.runId !== undefined) return success({ recipient: 'person' })
  if (to !== 'predecessor') return await findRecipient(records, author, to)
  const predecessor = await findPredecessor(records, author)
  return predecessor === undefined
    ? failure({ type: 'predecessor-absent' })
    : success({ recipient: 'engine', predecessor })
}
