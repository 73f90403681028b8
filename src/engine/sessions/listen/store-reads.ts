import type { SessionId } from '../../../domain/id.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import type { SpoolRead } from './read-spools.ts'
import { requestApprovals } from './request-approvals.ts'

type Needs = Parameters<typeof requestApprovals>[0] &
  Pick<EngineNeeds, 'store' | 'crash'> & {
    readonly sessionOf: (sessionId: SessionId) => Session | undefined
  }

/**
 * Stores lines and offsets in one transaction, so each line becomes an event exactly once, crash or not. Returns the
 * sessions it stored. The stored offsets of the others are not the ones that their reads started from.
 */
export async function storeReads(needs: Needs, reads: readonly SpoolRead[]): Promise<ReadonlySet<SessionId>> {
  const progress = reads.flatMap((read) => (read.progress === undefined ? [] : [read.progress]))
  return await needs.store.transact(async (records) => {
    const moved = new Set(await records.sessions.advance(progress))
    for (const { sessionId, requests } of reads) {
      const session = needs.sessionOf(sessionId)
      if (session === undefined || !moved.has(sessionId)) continue
      await requestApprovals(needs, records, session, requests)
    }
    needs.crash.reach('session-tail.before-commit')
    return moved
  })
}
