import type { ApiFailure } from '../../contract/failure/api-failure.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { describeMessageFailure } from '../../domain/message/describe-message-failure.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'

/** What a message that was not taken is answered with over HTTP. */
export function messageRefusal(failure: MessageFailure): ApiFailure {
  switch (failure.type) {
    case 'session-over':
      return { type: 'unauthorized' }
    case 'message-not-found':
      return { type: 'not-found', what: 'message', id: failure.id }
    case 'skill-not-found':
      return { type: 'not-found', what: 'skill', id: failure.name }
    case 'message-too-large':
      return issue(failure.part, failure)
    case 'recipient-unknown':
    case 'recipient-gone':
    case 'predecessor-absent':
      return issue('to', failure)
    case 'question-answered':
      return issue('inReplyTo', failure)
    case 'message-empty':
    case 'too-many-messages':
      return issue('', failure)
    default:
      return assertNever(failure)
  }
}

function issue(field: string, failure: MessageFailure): ApiFailure {
  return { type: 'bad-request', issues: [{ field, problem: describeMessageFailure(failure) }] }
}
