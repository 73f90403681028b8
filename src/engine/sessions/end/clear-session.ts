import type { SessionId } from '../../../domain/id.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { ClearNeeds } from '../purposes/session-plan.ts'
import { removeHosts } from './remove-hosts.ts'

/** Cleans up after an ended session once nothing needs its tree or output any more. */
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
