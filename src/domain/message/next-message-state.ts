import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { MessageState, Reader } from './message.ts'

export type MessageEvent =
  | { readonly type: 'message-delivery'; readonly to: Reader }
  | { readonly type: 'message-acknowledge'; readonly by: Reader }
  | { readonly type: 'message-fail'; readonly reason: string }

/**
 * The only place a message's receipt changes. A delivered message may be delivered again, to the same reader or the
 * next one, until someone acknowledges it.
 */
export function nextMessageState(
  state: MessageState,
  event: MessageEvent,
): Result<MessageState, IllegalTransition> {
  const illegal = failure(illegalTransition('message', state.type, event.type))
  if (state.type === 'acknowledged' || state.type === 'failed') return illegal
  switch (event.type) {
    case 'message-delivery':
      return success({ type: 'delivered', to: event.to })
    case 'message-acknowledge':
      return state.type === 'delivered' && state.to === event.by
        ? success({ type: 'acknowledged', by: event.by })
        : illegal
    case 'message-fail':
      return success({ type: 'failed', reason: event.reason })
    default:
      return assertNever(event)
  }
}
