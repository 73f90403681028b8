import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { handOver } from '../handoffs/hand-over.ts'
import { askSession } from '../sessions/ask-session.ts'
import type { MessageNeeds } from './message-needs.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'host' | 'clock' | 'crash' | 'ids' | 'settings' | 'adoptSession' | 'log'
>
type Callbacks = Pick<MessageNeeds, 'onMessage' | 'onHandoff' | 'onComplete' | 'onQuestion'>

const NEWS = [
  'There are messages for you. Read them with the tool `inbox` of the server `muster`, or with `muster agent inbox`,',
  'act on them and acknowledge them; then go on. If you had already finished, say your result again.',
].join('\n')

/** What letters set in motion. Each may be called twice for one letter and does nothing the second time. */
export function createRuntimeCallbacks(needs: Needs): Callbacks {
  return {
    onMessage: (readers) => tellSessions(needs, readers, NEWS),
    onHandoff: async (sessionId, note) => {
      const handed = await handOver(needs, sessionId, note)
      if (handed.ok) return
      const problem = 'problem' in handed.failure ? handed.failure.problem : handed.failure.type
      needs.log.warn({ sessionId, problem }, 'a handoff was refused')
      await tellSessions(
        needs,
        [sessionId],
        `Your handoff was refused: ${problem}. Go on with your task yourself.`,
      )
    },
    // The claim is stored; it is judged when the turn, or the program, ends.
    onComplete: () => Promise.resolve(),
    onQuestion: (question, predecessor) => askPredecessor(needs, question, predecessor),
  }
}

/** Says it to those that can be spoken to; the others look into their inbox by themselves. */
async function tellSessions(needs: Needs, sessionIds: readonly SessionId[], text: string): Promise<void> {
  for (const sessionId of sessionIds) {
    const isTold = await needs.store.transact(async (records) => {
      const session = await records.sessions.find(sessionId)
      if (session?.state.type !== 'running' || session.talk.dialogue === undefined) return false
      // One notice is enough for any number of letters.
      const waiting = await records.sessions.pendingInputs([sessionId])
      if (waiting.some(({ input }) => input.type === 'say' && input.text === text)) return false
      await records.sessions.addInput(
        sessionId,
        { type: 'say', text },
        { audit: { actor: 'engine', action: 'session-say', subject: sessionId, detail: {} } },
      )
      return true
    })
    if (isTold) needs.adoptSession(sessionId)
  }
}

async function askPredecessor(needs: Needs, question: Message, predecessor: SessionId): Promise<void> {
  const asked = await needs.store.read.sessions.list({ purpose: 'query' }, 200)
  if (asked.some(({ purpose }) => purpose.type === 'query' && purpose.replyTo === question.id)) return
  const query = await askSession(needs, {
    question: question.body,
    of: { type: 'session', sessionId: predecessor },
    replyTo: question.id,
  })
  if (!query.ok)
    needs.log.warn({ question: question.id, failure: query.failure.type }, 'nobody could be asked')
}
