import type { Session } from '../../../domain/session/session.ts'
import type { Talk } from '../../../domain/session/talk.ts'
import type { SpoolProgress } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import type { Tail } from './read-spools.ts'

/** A session whose spools this daemon reads. */
export type AdoptedTail = Tail & {
  readonly watch: Disposable
  readonly deadlines: Disposable
  /** Whether the last words of its talk are surely in the program's input. */
  readonly isSaid: boolean
}

/** Whether a session's program may still print something: not if it is gone, or its next one is yet to start. */
export function isReadable({ state }: Session): boolean {
  if (state.type === 'suspended') return !state.isOver
  if (state.type === 'starting') return state.resume === undefined
  return state.type !== 'terminated' && state.type !== 'waiting'
}

/** The tail after what was read of it has been stored. */
export function movedOn(tail: AdoptedTail, { toOut, toErr, talk }: SpoolProgress): AdoptedTail {
  const moved = { ...tail, outOffset: toOut, errOffset: toErr }
  return talk === undefined ? moved : { ...moved, talk, isSaid: tail.isSaid && isSilent(tail.talk, talk) }
}

/** Whether a program that is spoken to is heard no more, because its spool took all it takes. */
export async function isFull(
  needs: Pick<EngineNeeds, 'host' | 'settings'>,
  tail: AdoptedTail,
): Promise<boolean> {
  // Far from the cap nothing was dropped, and nothing need be looked at.
  if (tail.talk.dialogue === undefined || tail.outOffset < needs.settings.outputCapBytes / 2) return false
  return await needs.host.truncated(hostOf(tail.session), 'out')
}

/** Whether nothing was said between the two. */
function isSilent(before: Talk, after: Talk): boolean {
  return before.unsaidAt === after.unsaidAt && before.unsaid === after.unsaid
}
