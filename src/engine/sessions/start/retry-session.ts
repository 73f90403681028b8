import type { JobId } from '../../../domain/id.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { IllegalTransition } from '../../../domain/transition.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock'>

/** Lets a session whose program couldn't work try again now, because a person has done something about it. */
export async function storeRetry(
  needs: Needs,
  records: Records,
  session: Session,
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'retry-request', at: needs.clock.now() })
  if (!state.ok) return failure(state.failure)
  const saved = await records.sessions.save(
    { ...session, state: state.value },
    {
      audit: { actor: 'person', action: 'session-retry', subject: session.id, detail: {} },
      follow: [{ type: 'session-resume', sessionId: session.id }],
    },
  )
  return success(saved)
}

/** Does that for all such sessions of a job, and returns how many there are. */
export async function retryUnready(needs: Needs, records: Records, jobId: JobId): Promise<number> {
  const live = await records.sessions.listLive(jobId)
  const retried = []
  for (const session of live.filter(isUnready)) retried.push(await storeRetry(needs, records, session))
  return retried.filter(({ ok }) => ok).length
}

/** Whether a session is suspended because its program can't work, and nobody has resumed it yet. */
export function isUnready({ state }: Session): boolean {
  return state.type === 'suspended' && state.why.type === 'unready' && state.resume === undefined
}
