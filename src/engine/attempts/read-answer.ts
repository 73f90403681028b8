import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import { ANSWER_LIMITS } from '../../domain/limits/answer-limits.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { plainText } from '../../domain/plain-text.ts'
import { textBeforeJson } from '../../domain/text-before-json.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readSpoolEnd, type SpoolEndNeeds } from '../sessions/read-spool-end.ts'

type Needs = SpoolEndNeeds & Pick<EngineNeeds, 'providers' | 'store'>

/** JSON, a fenced block or a heading. */
const NOT_PROSE = /^[{[`#]/

/** The agent's answer, from the text of its last turn or the end of its spool; undefined if there is none. */
export async function readAnswer(needs: Needs, attempt: Attempt): Promise<unknown> {
  const provider = needs.providers.get(attempt.agent.provider)
  if (provider === undefined) return undefined
  // Sessions of earlier versions may have claims that count no more.
  const mayClaim = attemptRulesOf(attempt).makesWork
  const claim = mayClaim ? await needs.store.read.messages.findClaim(attempt.sessionId) : undefined
  if (claim !== undefined) return { summary: claim.body, ...claim.metadata.answer }
  const text = await readAnswerText(needs, attempt)
  return text === undefined ? undefined : provider.findAnswer(text)
}

/** The text that may contain an answer; undefined if there is none. */
export async function readAnswerText(
  needs: Omit<Needs, 'providers'>,
  attempt: Attempt,
): Promise<string | undefined> {
  const session = await needs.store.read.sessions.find(attempt.sessionId)
  if (session === undefined) return undefined
  const { turn } = session.conversation
  if (turn !== undefined) return turn.type === 'done' ? turn.text : undefined
  const { text, isCut } = await readSpoolEnd(needs, session, 'out', SESSION_LIMITS.answerBytes)
  if (!isCut) return text
  // Only whole lines: the rest of a cut line could look like an answer.
  const start = text.indexOf('\n') + 1
  return start === 0 ? undefined : text.slice(start)
}

/** What an agent said at the end of its conversation, if it gave no summary: its first paragraph. */
export async function readClosingWords(
  { store, settings }: Pick<Needs, 'store' | 'settings'>,
  attempt: Attempt,
): Promise<string | undefined> {
  const session = await store.read.sessions.find(attempt.sessionId)
  const turn = session?.conversation.turn
  if (turn?.type !== 'done') return undefined
  const paragraphs = settings.redaction.redact(plainText(textBeforeJson(turn.text))).split(/\n\s*\n/)
  const words = paragraphs.map((text) => text.trim()).find((text) => text !== '' && !NOT_PROSE.test(text))
  return words?.slice(0, ANSWER_LIMITS.summaryCharacters)
}
