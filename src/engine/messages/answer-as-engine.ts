import { cleanText } from '../../domain/clean-text.ts'
import type { MessageId } from '../../domain/id.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import { describeMessageFailure, type MessageFailure } from '../../domain/message/message-failure.ts'
import { shortenedToBytes } from '../prompts/shortened.ts'
import { answerQuestion } from './answer-question.ts'
import type { MessageNeeds } from './message-needs.ts'

/** Nobody waits for the answer any more: its asker has ended, was deleted, or has an answer. */
const UNNEEDED: ReadonlySet<MessageFailure['type']> = new Set([
  'recipient-gone',
  'message-not-found',
  'question-answered',
])

/**
 * Answers a question in the place of a session that was asked. An agent waits for this answer, so a text that is too
 * long is shortened. Throws if there is no text, or the answer can't be stored; the caller's work is then retried.
 */
export async function answerAsEngine(needs: MessageNeeds, question: MessageId, text: string): Promise<void> {
  const body = shortenedToBytes(cleanText(text), MESSAGE_LIMITS.bodyBytes)
  const answered = await answerQuestion(needs, 'engine', { inReplyTo: question, body, key: question })
  if (answered.ok) return
  const problem = describeMessageFailure(answered.failure)
  if (!UNNEEDED.has(answered.failure.type)) {
    throw new Error(`question ${question} could not be answered: ${problem}`)
  }
  needs.log.info({ question, problem }, 'an answer is no longer needed')
}
