import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { AdoptedTail } from './adopted-tail.ts'
import { armDeadlines, type DeadlineOptions } from './session-deadlines.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'log' | 'settings' | 'assignments'>

export type TailWatch = Pick<DeadlineOptions, 'isReady' | 'hasCaughtUp' | 'wake' | 'send'>

/** Starts reading a session's spools where the stored offsets end. The caller disposes of the result. */
export async function adoptTail(needs: Needs, session: Session, watch: TailWatch): Promise<AdoptedTail> {
  const workplace = await planOf(session).findWorkplace(needs)
  return {
    session,
    ...workplace?.place,
    ...(workplace?.payers === undefined ? {} : { payers: workplace.payers }),
    outOffset: session.outOffset,
    scannedTo: session.outOffset,
    inspectedAt: 0,
    errOffset: session.errOffset,
    conversation: session.conversation,
    isSent: session.conversation.lastInput === '',
    watch: needs.host.watch(hostOf(session), watch.wake),
    deadlines: armDeadlines(needs, session, { ...watch, setup: workplace?.setup ?? [] }),
  }
}
