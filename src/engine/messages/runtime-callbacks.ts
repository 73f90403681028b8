import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Notice } from '../../domain/session/session-input.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { handOver } from '../handoffs/hand-over.ts'
import { askSession } from '../sessions/create/ask-session.ts'
import type { MessageNeeds } from './message-needs.ts'
import { refuseTool } from './refuse-tool.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'assignments' | 'clock' | 'crash' | 'ids' | 'settings' | 'adoptSession' | 'answerMessage' | 'log'
>
type Callbacks = Pick<MessageNeeds, 'onMessage' | 'onHandoff' | 'onComplete' | 'onQuestion'>

const NEWS = [
  'There are messages for you. Read them with the tool `inbox` of the server `muster`, or with `muster agent inbox`,',
  'act on them and acknowledge them; then continue. If you had already finished, give your result again.',
].join('\n')

/** What happens after a message is stored. A second call for the same message does nothing. */
export function createRuntimeCallbacks(needs: Needs): Callbacks {
  return {
    onMessage: (readers) => notifySessions(needs, readers, { notice: 'messages', text: NEWS }),
    onHandoff: async (sessionId, note) => {
      const handed = await handOver(needs, sessionId, note)
      if (handed.ok) return
      const problem = 'problem' in handed.failure ? handed.failure.problem : handed.failure.type
      needs.log.warn({ sessionId, problem }, 'a handoff was refused')
      await notifySessions(needs, [sessionId], {
        notice: 'handoff-refused',
        text: `Your handoff was refused: ${problem}. Continue your task yourself.`,
      })
    },
    // The claim is stored. The work is judged when the turn or the program ends.
    onComplete: () => Promise.resolve(),
    onQuestion: (question, predecessor) => askPredecessor(needs, question, predecessor),
  }
}

type Told = { readonly notice: Notice; readonly text: string }

/**
 * Sends a notice to the sessions that hold a conversation, unless the same notice still waits for its turn: each turn
 * costs money. The others read their inbox by themselves.
 */
async function notifySessions(needs: Needs, sessionIds: readonly SessionId[], told: Told): Promise<void> {
  for (const sessionId of sessionIds) {
    const isSent = await needs.store.transact(async (records) => {
      // Read before the session, which takes over a notice that is sent in the meantime.
      const waiting = await records.sessions.pendingInputs([sessionId])
      if (waiting.some(({ input }) => input.type === 'say' && input.notice === told.notice)) return false
      const session = await records.sessions.find(sessionId)
      if (session?.state.type !== 'running' || session.conversation.dialogue === undefined) return false
      if (told.notice === 'messages' && !(await mayReadNow(records, session))) return false
      await records.sessions.addInput(
        sessionId,
        { type: 'say', ...told },
        { audit: { actor: 'engine', action: 'session-say', subject: sessionId, detail: {} } },
      )
      return true
    })
    if (isSent) needs.adoptSession(sessionId)
  }
}

/** A session that has its notice already, or that may not open its inbox, needs none. */
async function mayReadNow(records: Records, { id, conversation }: Session): Promise<boolean> {
  if (conversation.noticeTurn !== undefined) return false
  return (await refuseTool(records, id, 'inbox')) === undefined
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
