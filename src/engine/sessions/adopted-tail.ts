import type { Session } from '../../domain/session/session.ts'
import type { Talk } from '../../domain/session/talk.ts'
import type { SpoolProgress } from '../../ports/store/session-records.ts'
import type { Tail } from './read-spools.ts'

/** A session whose spools this daemon reads. */
export type AdoptedTail = Tail & {
  readonly watch: Disposable
  readonly deadlines: Disposable
  /** Whether the last words of its talk are surely in the program's input. */
  readonly isSaid: boolean
}

/** A session whose program may still have something to say: one that rests has said it all. */
export function isReadable({ state }: Session): boolean {
  if (state.type === 'suspended') return !state.isOver
  return state.type !== 'terminated'
}

/** The tail after what was read of it has been stored. */
export function movedOn(tail: AdoptedTail, { toOut, toErr, talk }: SpoolProgress): AdoptedTail {
  const moved = { ...tail, outOffset: toOut, errOffset: toErr }
  return talk === undefined ? moved : { ...moved, talk, isSaid: tail.isSaid && isSilent(tail.talk, talk) }
}

/** Whether nothing was said between the two. */
function isSilent(before: Talk, after: Talk): boolean {
  return before.unsaidAt === after.unsaidAt && before.unsaid === after.unsaid
}
