import type { Attempt } from '../../domain/attempt/attempt.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { hostOf } from '../sessions/host-of.ts'

type Needs = Pick<EngineNeeds, 'host' | 'providers' | 'store'>

const LINE_FEED = 0x0a

/** What the agent answered: the text of its last turn, or the end of its spool. Undefined when it answered nothing. */
export async function readAnswer(needs: Needs, attempt: Attempt): Promise<unknown> {
  const provider = needs.providers.get(attempt.agent.provider)
  if (provider === undefined) return undefined
  const claim = await needs.store.read.messages.findLatest(attempt.sessionId, 'complete')
  if (claim !== undefined) return { summary: claim.body, ...answerIn(claim.metadata) }
  const text = await readAnswerText(needs, attempt)
  return text === undefined ? undefined : provider.findAnswer(text)
}

/** The words in which an answer is looked for; undefined when there are none to look at. */
export async function readAnswerText(
  needs: Pick<Needs, 'host' | 'store'>,
  attempt: Attempt,
): Promise<string | undefined> {
  const session = await needs.store.read.sessions.find(attempt.sessionId)
  if (session === undefined) return undefined
  const { turn } = session.talk
  if (turn !== undefined) return turn.type === 'done' ? turn.text : undefined
  const from = Math.max(0, session.outOffset - SESSION_LIMITS.answerBytes)
  const bytes = await needs.host.read(hostOf(session), 'out', from, SESSION_LIMITS.answerBytes)
  // Only whole lines: the rest of one that was cut off could be taken for an answer nobody gave.
  const start = from === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1
  if (from > 0 && start === 0) return undefined
  return new TextDecoder().decode(bytes.subarray(start))
}

/** With a claim of being done may come the answer itself: a planner's tasks, for example. */
function answerIn(metadata: Readonly<Record<string, unknown>>): object {
  const { answer } = metadata
  return typeof answer === 'object' && answer !== null ? answer : {}
}
