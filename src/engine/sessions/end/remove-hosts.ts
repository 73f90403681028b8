import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { programOf } from '../program-of.ts'

/** Removes the files of every process that an ended session has had. */
export async function removeHosts(
  needs: Pick<EngineNeeds, 'host' | 'terminals'>,
  session: Session,
): Promise<void> {
  for (let processNumber = 1; processNumber <= session.processNumber; processNumber += 1) {
    await programOf(needs, { ...session, processNumber }).remove()
  }
}
