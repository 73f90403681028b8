import { parseId, type SessionId } from '../../domain/id.ts'
import { isAddressedTo, type Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { MessageFilter } from '../../ports/store/message-records.ts'
import { type Author, findAuthor } from './author.ts'
import type { MessageNeeds } from './message-needs.ts'

type Needs = Pick<MessageNeeds, 'store'>

export type ThreadRequest = Pick<MessageFilter, 'type' | 'role' | 'since'> & {
  readonly limit: number
  /** The last message of the page before. */
  readonly cursor?: string | undefined
}

/** The conversation of a session's run, newest first. Reading it changes no receipts. */
export async function readThread(
  needs: Needs,
  sessionId: SessionId,
  { limit, cursor, ...filter }: ThreadRequest,
): Promise<Result<readonly Message[], MessageFailure>> {
  const { read } = needs.store
  const author = await findAuthor(read, sessionId)
  if (author === undefined) return failure({ type: 'session-over' })
  if (author.runId === undefined) return failure({ type: 'thread-absent' })
  const asked = { ...filter, threadId: author.runId, isConversation: true }
  return success(await read.messages.list(asked, withoutUndefined({ limit, cursor })))
}

/** One message with its whole text: to the session, from it, or in the thread of its run. */
export async function readMessage(
  needs: Needs,
  sessionId: SessionId,
  text: string,
): Promise<Result<Message, MessageFailure>> {
  const { read } = needs.store
  const author = await findAuthor(read, sessionId)
  if (author === undefined) return failure({ type: 'session-over' })
  const id = parseId('message', text)
  const message = id === undefined ? undefined : await read.messages.find(id)
  if (message === undefined || !mayRead(author, message))
    return failure({ type: 'message-not-found', id: text.slice(0, 100) })
  const whole = message.wholeBody && (await read.messages.findBody(message.wholeBody.id))
  return success(whole === undefined ? message : { ...message, body: whole })
}

function mayRead({ session, runId }: Author, message: Message): boolean {
  return (
    message.sender === session.id ||
    isAddressedTo(message, session, runId) ||
    (runId !== undefined && message.threadId === runId)
  )
}
