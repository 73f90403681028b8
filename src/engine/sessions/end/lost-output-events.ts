import { agentMessage } from '../../../domain/event/agent-message.ts'
import type { NewEvent } from '../../../domain/event/event.ts'
import { sessionPlace } from '../../../domain/event/event-place.ts'
import { checkPrinted } from '../../../domain/event/task-events.ts'
import { describeDroppedOutput } from '../../../domain/session/describe-dropped-output.ts'
import type { Session } from '../../../domain/session/session.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { LostOutput } from '../../../ports/session-host.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import { planOf } from '../purposes/plan-of.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'settings' | 'assignments'>

/** An event for each spool that lacks something its program printed; usually there are none. */
export async function lostOutputEvents(needs: Needs, session: Session): Promise<readonly NewEvent[]> {
  const spools = ['out', 'err'] as const
  const lost = await Promise.all(spools.map((spool) => needs.host.lostOutput(hostOf(session), spool)))
  const losses = lost.filter((loss) => loss !== undefined)
  if (losses.length === 0) return []
  const workplace = await planOf(session).findWorkplace(needs)
  const place = sessionPlace(session, workplace?.place ?? {})
  const eventOf = ({ bytes, mayBeMore }: LostOutput) =>
    rulesOf(session).speaks
      ? agentMessage(place, session, truncation(bytes, mayBeMore), false)
      : checkPrinted(place, `(${describeDroppedOutput(bytes, mayBeMore)})`)
  return losses.map(eventOf)
}

function truncation(droppedBytes: number, mayBeMore: boolean) {
  return { type: 'truncation', droppedBytes, ...(mayBeMore ? { mayBeMore } : {}) } as const
}
