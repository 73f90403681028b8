import { assertNever } from '../../domain/assert-never.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Letter } from '../../domain/message/letter.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import { askQuestion } from './ask-question.ts'
import { claimComplete } from './claim-complete.ts'
import { handOff } from './hand-off.ts'
import type { MessageNeeds } from './message-needs.ts'
import { reportProgress } from './report-progress.ts'
import { sendMessage } from './send-message.ts'

/** Any letter of a session, to the use case it is for. */
export async function postLetter(
  needs: MessageNeeds,
  sessionId: SessionId,
  letter: Letter,
): Promise<Result<Message, MessageFailure>> {
  switch (letter.type) {
    case 'send':
      return await sendMessage(needs, sessionId, letter)
    case 'progress':
      return await reportProgress(needs, sessionId, letter)
    case 'complete':
      return await claimComplete(needs, sessionId, letter)
    case 'handoff':
      return await handOff(needs, sessionId, letter)
    case 'ask': {
      const asked = await askQuestion(needs, sessionId, letter)
      return asked.ok ? success(asked.value.question) : asked
    }
    default:
      return assertNever(letter)
  }
}
