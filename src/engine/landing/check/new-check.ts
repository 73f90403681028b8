import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Records } from '../../../ports/store/store.ts'
import { newSession } from '../../sessions/create/new-session.ts'
import type { LandingNeeds } from '../landing-needs.ts'

export type NewCheck = { readonly session: Session; readonly insert: (records: Records) => Promise<void> }

export type CheckRequest = {
  readonly index: number
  readonly command: string
  /** In a new tree; otherwise in that of the check before. */
  readonly isFresh: boolean
  /** How long to wait before it starts. */
  readonly pauseMs?: number
}

/** A check runs as a session like an agent does: it outlives the daemon, is held as firmly, and has a deadline. */
export function newCheck(
  needs: Pick<LandingNeeds, 'clock' | 'ids' | 'wakeAt'>,
  candidate: Pick<Candidate, 'id' | 'jobId'>,
  { index, command, isFresh, pauseMs = 0 }: CheckRequest,
): NewCheck {
  const session = newSession(needs, {
    id: needs.ids.next('session'),
    jobId: candidate.jobId,
    purpose: { type: 'check', candidateId: candidate.id, index, command, isFresh },
    agent: { name: command, provider: 'check' },
    role: 'check',
  })
  const start = { type: 'session-start', sessionId: session.id } as const
  return {
    session,
    insert: async (records) => {
      await records.sessions.insert(session, {
        audit: { actor: 'engine', action: 'check-create', subject: session.id, detail: { index } },
        follow: pauseMs === 0 ? [start] : [],
      })
      // Forgotten with the process, it is sent by the reconciler: the row says that it is to start.
      if (pauseMs > 0) needs.wakeAt(new Date(session.createdAt.getTime() + pauseMs), start)
    },
  }
}
