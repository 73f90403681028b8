import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { programOf } from '../program-of.ts'

/** Removes the files of all lives of a session that is over. */
export async function removeHosts(
  needs: Pick<EngineNeeds, 'host' | 'terminals'>,
  session: Session,
): Promise<void> {
  for (let life = 1; life <= session.life; life += 1) {
    await programOf(needs, { ...session, life }).remove()
  }
}
