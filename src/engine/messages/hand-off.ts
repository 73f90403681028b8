import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { HandoffRequest } from '../../domain/message/message-request.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Author } from './author.ts'
import type { MessageNeeds } from './message-needs.ts'
import { postMessage } from './post-message.ts'
import { settleEngineMessages } from './settle-engine-messages.ts'

/** A session leaves its work to the next one, with a note. */
export async function handOff(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: Omit<HandoffRequest, 'type'>,
): Promise<Result<Message, MessageFailure>> {
  const { summary, nextSteps, reason, to } = request
  const posted = await postMessage(needs, sessionId, request.key, async (_, author) => {
    const stranger = findStranger(author, to)
    if (stranger !== undefined) return failure(stranger)
    const metadata = { nextSteps, reason, ...(to === undefined ? {} : { to }) }
    return success({ kind: 'handoff', recipient: 'engine', body: summary, metadata })
  })
  if (!posted.ok) return posted
  const { message } = posted.value
  await settleEngineMessages(needs, sessionId)
  return success((await needs.store.read.messages.find(message.id)) ?? message)
}

/** Only an agent of the same job can go on with its work. */
function findStranger(author: Author, to: string | undefined): MessageFailure | undefined {
  const known = (author.job?.plan.agents ?? []).map((agent) => agent.name)
  if (to === undefined || known.includes(to)) return undefined
  return { type: 'recipient-unknown', recipient: to.slice(0, 100), known }
}
