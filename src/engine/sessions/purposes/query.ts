import { describeEndOf } from '../../../domain/session/describe-session-end.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import type { SessionState } from '../../../domain/session/session-state.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { environmentOf } from '../session-environment.ts'
import type { SessionPlan } from './session-plan.ts'

/** A session that continues an earlier one's conversation in its tree, to answer one question. */
export function planQuery(
  session: Session,
  purpose: PurposeOf<'query'>,
  planOf: (asked: Session) => SessionPlan,
): SessionPlan {
  const { of, question, agent, timeMs, replyTo } = purpose
  const sessionId = session.id
  return {
    async findWorkplace(needs) {
      const asked = await needs.store.read.sessions.find(of)
      const place = asked === undefined ? undefined : await planOf(asked).findWorkplace(needs)
      const conversation = asked?.conversation.providerSessionId
      if (place === undefined || conversation === undefined) return undefined
      return {
        ...place,
        program: { type: 'agent', agent },
        setup: [],
        timeMs,
        conversation,
        environment: (directory) => environmentOf(needs, session, directory),
        place: {},
      }
    },
    async findBase(needs) {
      const asked = await needs.store.read.sessions.find(of)
      return asked === undefined ? undefined : await planOf(asked).findBase(needs)
    },
    firstPrompt: () => Promise.resolve(question),
    readiness: () => Promise.resolve({ type: 'ready' }),
    whenStarted: () => Promise.resolve(),
    whenEnded: () => Promise.resolve([{ type: 'session-clear', sessionId }]),
    isNeeded: () => Promise.resolve(false),
    async clear(needs) {
      if (replyTo !== undefined) await needs.answerMessage(replyTo, answerOf(session))
      // The tree belongs to the session that was asked. Its clean-up may have been waiting for this one.
      const asked = await needs.store.read.sessions.find(of)
      if (asked !== undefined) await needs.sendWork(planOf(asked).clearWork)
    },
    clearWork: { type: 'session-clear', sessionId },
  }
}

function answerOf({ conversation, state }: Session): string {
  const { turn } = conversation
  if (turn?.type === 'done' && turn.text.trim() !== '') return turn.text
  return `There is no answer: ${whyUnanswered(turn, state)}.`
}

function whyUnanswered(turn: TurnOutcome | undefined, state: SessionState): string {
  const asked = 'the session that was asked'
  if (turn?.type === 'done') return `${asked} finished without writing anything`
  return state.type === 'terminated' ? describeEndOf(asked, state.end) : `${asked} gave no answer`
}
