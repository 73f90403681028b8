import { assertNever } from '../../domain/assert-never.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import { progressReported } from '../../domain/event/task-events.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type {
  CompleteRequest,
  HandoffRequest,
  MessageRequest,
  ProgressRequest,
} from '../../domain/message/message-request.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import { handoffRefusal } from '../handoffs/handoff-refusal.ts'
import { askQuestion } from './ask-question.ts'
import type { Author } from './author.ts'
import type { MessageNeeds } from './message-needs.ts'
import { type Post, postMessage } from './post-message.ts'
import { sendMessage } from './send-message.ts'
import { settleEngineMessages } from './settle-engine-messages.ts'

type Posted = Promise<Result<Message, MessageFailure>>

/** Sends any message of a session. */
export async function postRequest(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: MessageRequest,
): Posted {
  switch (request.type) {
    case 'send':
      return await sendMessage(needs, sessionId, request)
    case 'progress':
      return await reportProgress(needs, sessionId, request)
    case 'complete':
      return await claimComplete(needs, sessionId, request)
    case 'handoff':
      return await handOff(needs, sessionId, request)
    case 'ask': {
      const asked = await askQuestion(needs, sessionId, request)
      return asked.ok ? success(asked.value.question) : asked
    }
    default:
      return assertNever(request)
  }
}

/** Reports how far a session is. Watchers see the report at once. */
async function reportProgress(needs: MessageNeeds, sessionId: SessionId, request: ProgressRequest): Posted {
  const { text, percent } = request
  const posted = await postMessage(needs, sessionId, request.key, async () =>
    success({
      content: { kind: 'progress', metadata: percent === undefined ? {} : { percent } },
      recipient: 'engine',
      body: text,
      isSettled: true,
      event: (place) => progressReported(place, text, percent),
    }),
  )
  return posted.ok ? success(posted.value.message) : posted
}

/** Stores that a session says it is done. The attempt is judged by its work, not by this claim. */
async function claimComplete(needs: MessageNeeds, sessionId: SessionId, request: CompleteRequest): Posted {
  const { key, summary, answer } = request
  if (!(await mayClaim(needs, sessionId))) return failure({ type: 'answer-in-words' })
  return await postToEngine(needs, sessionId, key, () =>
    success({
      content: { kind: 'complete', metadata: answer === undefined ? {} : { answer } },
      recipient: 'engine',
      body: summary,
    }),
  )
}

/**
 * Whether a session may report that it is done. Only one that makes work may: a planner or a reviewer also runs what
 * others have written, such as their tests, and a verdict must not come from there.
 */
async function mayClaim({ store }: MessageNeeds, sessionId: SessionId): Promise<boolean> {
  const session = await store.read.sessions.find(sessionId)
  const attemptId = session === undefined ? undefined : attemptIdOf(session)
  const attempt = attemptId === undefined ? undefined : await store.read.attempts.find(attemptId)
  return attempt === undefined || attemptRulesOf(attempt).makesWork
}

/** Hands a session's work over to a successor, with a note. */
async function handOff(needs: MessageNeeds, sessionId: SessionId, request: HandoffRequest): Posted {
  const { summary, nextSteps, reason, to } = request
  const problem = await whyNoHandoff(needs, sessionId, to)
  if (problem !== undefined) return failure({ type: 'handoff-impossible', problem })
  return await postToEngine(needs, sessionId, request.key, ({ job, session }) => {
    if (attemptIdOf(session) === undefined) {
      return failure({ type: 'handoff-impossible', problem: 'it has no task' })
    }
    // Only an agent of the same job can continue the work.
    const known = (job?.plan.agents ?? []).map((agent) => agent.name)
    if (to !== undefined && !known.includes(to)) {
      return failure({ type: 'recipient-unknown', recipient: to.slice(0, 100), known })
    }
    const metadata = { nextSteps, reason, ...(to === undefined ? {} : { to }) }
    return success({ content: { kind: 'handoff', metadata }, recipient: 'engine', body: summary })
  })
}

async function whyNoHandoff(
  { store }: MessageNeeds,
  sessionId: SessionId,
  to: string | undefined,
): Promise<string | undefined> {
  const session = await store.read.sessions.find(sessionId)
  const attemptId = session === undefined ? undefined : attemptIdOf(session)
  const attempt = attemptId === undefined ? undefined : await store.read.attempts.find(attemptId)
  return session === undefined || attempt === undefined ? undefined : handoffRefusal(session, attempt, to)
}

/** Stores a message to the engine and acts on it. */
async function postToEngine(
  needs: MessageNeeds,
  sessionId: SessionId,
  key: string | undefined,
  compose: (author: Author) => Result<Post, MessageFailure>,
): Posted {
  const posted = await postMessage(needs, sessionId, key, async (_, author) => compose(author))
  if (!posted.ok) return posted
  const { message } = posted.value
  await settleEngineMessages(needs, sessionId)
  return success((await needs.store.read.messages.find(message.id)) ?? message)
}
