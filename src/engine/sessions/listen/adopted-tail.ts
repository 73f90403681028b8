import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SpoolProgress } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import type { Tail } from './tail.ts'

/** A session whose spools this daemon reads. */
export type AdoptedTail = Tail & {
  readonly watch: Disposable
  readonly deadlines: Disposable
  /** Whether the conversation's last input has certainly been written to the program. */
  readonly isSent: boolean
}

/** Whether a session's program may still print: not once it has exited, nor before its next process starts. */
export function isReadable({ state }: Session): boolean {
  if (state.type === 'suspended') return !state.hasExited
  if (state.type === 'starting') return state.resume === undefined
  return state.type !== 'terminated' && state.type !== 'waiting'
}

/** The tail after its progress has been stored. */
export function movedOn(tail: AdoptedTail, { toOut, toErr, conversation }: SpoolProgress): AdoptedTail {
  const moved = { ...tail, outOffset: toOut, errOffset: toErr }
  return conversation === undefined
    ? moved
    : { ...moved, conversation, isSent: tail.isSent && hasSameInput(tail.conversation, conversation) }
}

/** Whether a program in a conversation has filled its spool, so that nothing more it prints can be read. */
export async function isFull(
  needs: Pick<EngineNeeds, 'host' | 'settings'>,
  tail: AdoptedTail,
): Promise<boolean> {
  // Far below the limit, nothing can have been dropped.
  if (tail.conversation.dialogue === undefined || tail.outOffset < needs.settings.outputCapBytes / 2)
    return false
  return await needs.host.truncated(hostOf(tail.session), 'out')
}

/** Whether no input was added between the two states. */
function hasSameInput(before: ConversationState, after: ConversationState): boolean {
  return before.lastInputAt === after.lastInputAt && before.lastInput === after.lastInput
}
