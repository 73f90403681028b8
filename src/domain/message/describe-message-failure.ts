import { assertNever } from '../assert-never.ts'
import type { MessageFailure } from './message-failure.ts'

/** One sentence for whoever sent it, agent or person. */
export function describeMessageFailure(failure: MessageFailure): string {
  switch (failure.type) {
    case 'session-over':
      return 'this session is over; nothing is taken from it any more'
    case 'message-too-large':
      return `the ${failure.part} has ${failure.bytes} bytes; at most ${failure.limit} are taken`
    case 'message-empty':
      return 'the message says nothing'
    case 'too-many-messages':
      return `this session has sent its ${failure.limit} messages; no more are taken`
    case 'recipient-unknown':
      return `nobody can be reached as ${failure.recipient}; there are: ${failure.known.join(', ')}`
    case 'recipient-gone':
      return `${failure.recipient} has ended and reads nothing any more`
    case 'message-not-found':
      return `there is no message ${failure.id} for you`
    case 'question-answered':
      return `${failure.id} was answered before`
    case 'predecessor-absent':
      return 'nobody worked on this before'
    case 'skill-not-found':
      return `there is no skill ${failure.name}; there are: ${failure.known.join(', ') || 'none'}`
    default:
      return assertNever(failure)
  }
}
