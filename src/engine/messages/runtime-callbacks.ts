import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { handOver } from '../handoffs/hand-over.ts'
import { askSession } from '../sessions/create/ask-session.ts'
import type { MessageNeeds } from './message-needs.ts'
import { countUnread } from './read-inbox.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'roles' | 'clock' | 'crash' | 'ids' | 'settings' | 'adoptSession' | 'answerMessage' | 'log'
>
type Callbacks = Pick<MessageNeeds, 'onMessage' | 'onHandoff' | 'onComplete' | 'onQuestion'>

const NEWS = [
  'There are messages for you. Read them with the tool `inbox` of the server `muster`, or with `muster agent inbox`,',
  'act on them and acknowledge them; then continue. If you had already finished, give your result again.',
].join('\n')

/** What happens after a message is stored. A second call for the same message does nothing. */
export function createRuntimeCallbacks(needs: Needs): Callbacks {
  return {
    onMessage: async (readers) => notifySessions(needs, await withoutPendingNotice(needs, readers), NEWS),
    onHandoff: async (sessionId, note) => {
      const handed = await handOver(needs, sessionId, note)
      if (handed.ok) return
      const problem = 'problem' in handed.failure ? handed.failure.problem : handed.failure.type
      needs.log.warn({ sessionId, problem }, 'a handoff was refused')
      await notifySessions(
        needs,
        [sessionId],
        `Your handoff was refused: ${problem}. Continue your task yourself.`,
      )
    },
    // The claim is stored. The work is judged when the turn or the program ends.
    onComplete: () => Promise.resolve(),
    onQuestion: (question, predecessor) => askPredecessor(needs, question, predecessor),
  }
}

/** The readers without a pending notice. Each notice is a turn, which costs money. */
async function withoutPendingNotice(
  needs: Pick<Needs, 'store'>,
  readers: readonly SessionId[],
): Promise<readonly SessionId[]> {
  const unnotified: SessionId[] = []
  for (const sessionId of readers) {
    const session = await needs.store.read.sessions.find(sessionId)
    // An input waits for the end of its turn, and an earlier message is unread: that input is the notice.
    const hasNotice = (session?.conversation.openTurns ?? 0) > 1 && (await countUnread(needs, sessionId)) > 1
    if (!hasNotice) unnotified.push(sessionId)
  }
  return unnotified
}

/** Sends a text to the sessions that hold a conversation. The others read their inbox by themselves. */
async function notifySessions(needs: Needs, sessionIds: readonly SessionId[], text: string): Promise<void> {
  for (const sessionId of sessionIds) {
    const isSent = await needs.store.transact(async (records) => {
      const session = await records.sessions.find(sessionId)
      if (session?.state.type !== 'running' || session.conversation.dialogue === undefined) return false
      // One notice is enough for any number of messages.
      const waiting = await records.sessions.pendingInputs([sessionId])
      if (waiting.some(({ input }) => input.type === 'say' && input.text === text)) return false
      await records.sessions.addInput(
        sessionId,
        { type: 'say', text },
        { audit: { actor: 'engine', action: 'session-say', subject: sessionId, detail: {} } },
      )
      return true
    })
    if (isSent) needs.adoptSession(sessionId)
  }
}

async function askPredecessor(needs: Needs, question: Message, predecessor: SessionId): Promise<void> {
  const { sessions } = needs.store.read
  const isAsked = (await sessions.list({ replyTo: question.id }, 1)).length > 0
  if (isAsked) return
  const asking = await sessions.list({ purpose: 'query' }, 200)
  if (asking.some(({ jobId, state }) => jobId === question.jobId && state.type !== 'terminated')) {
    return needs.answerMessage(
      question.id,
      'There is no answer: another question is being asked. Ask again later.',
    )
  }
  const query = await askSession(needs, {
    question: question.body,
    of: { type: 'session', sessionId: predecessor },
    replyTo: question.id,
  })
  if (query.ok) return
  needs.log.warn({ question: question.id, failure: query.failure.type }, 'the predecessor could not be asked')
  // Without an answer, the asker would wait forever.
  await needs.answerMessage(
    question.id,
    'There is no answer: the session before yours can no longer be asked.',
  )
}
