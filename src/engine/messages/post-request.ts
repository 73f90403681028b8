import { assertNever } from '../../domain/assert-never.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import type { MessageRequest } from '../../domain/message/message-request.ts'
import { type Result, success } from '../../domain/result.ts'
import { askQuestion } from './ask-question.ts'
import { claimComplete } from './claim-complete.ts'
import { handOff } from './hand-off.ts'
import type { MessageNeeds } from './message-needs.ts'
import { reportProgress } from './report-progress.ts'
import { sendMessage } from './send-message.ts'

/** Any message of a session, to the use case it is for. */
export async function postRequest(
  needs: MessageNeeds,
  sessionId: SessionId,
  request: MessageRequest,
): Promise<Result<Message, MessageFailure>> {
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
