import type { SessionId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { planOf } from './plan-of.ts'
import { removeHosts } from './remove-hosts.ts'
import type { ClearNeeds } from './session-plan.ts'

/** Clears up after a session that has ended, once nobody needs what it left any more. */
export async function clearSession(
  needs: ClearNeeds & Pick<EngineNeeds, 'host' | 'terminals'>,
  sessionId: SessionId,
): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session?.state.type !== 'terminated') return
  const plan = planOf(session)
  if (await plan.isNeeded(needs)) return
  await plan.clear(needs)
  await removeHosts(needs, session)
}
