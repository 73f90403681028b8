import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { AdoptedTail } from './adopted-tail.ts'
import { armDeadlines } from './session-deadlines.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'log' | 'settings' | 'roles'>

export type TailWatch = {
  /** Its spools have grown, or its program has ended. */
  readonly onChange: () => void
  readonly isReady: () => boolean
}

/** Takes a session's spools over, from where they were last stored. The caller disposes of what it is given. */
export async function adoptTail(needs: Needs, session: Session, watch: TailWatch): Promise<AdoptedTail> {
  const workplace = await planOf(session).findWorkplace(needs)
  return {
    session,
    ...workplace?.place,
    ...(workplace?.payer === undefined ? {} : { payer: workplace.payer }),
    outOffset: session.outOffset,
    scannedTo: session.outOffset,
    lookedAt: 0,
    errOffset: session.errOffset,
    talk: session.talk,
    isSaid: session.talk.unsaid === '',
    watch: needs.host.watch(hostOf(session), watch.onChange),
    deadlines: armDeadlines(needs, session, { isReady: watch.isReady, setup: workplace?.setup ?? [] }),
  }
}
