import type { Landing } from '../../domain/landing/landing.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import { newSession } from '../sessions/new-session.ts'
import type { LandingNeeds } from './landing-needs.ts'

export type NewCheck = { readonly session: Session; readonly insert: (records: Records) => Promise<void> }

/** A check runs as a session like an agent does: it outlives the daemon, is held as firmly, and has a deadline. */
export function newCheck(needs: LandingNeeds, landing: Landing, index: number, command: string): NewCheck {
  const session = newSession(needs, {
    id: needs.ids.next('session'),
    jobId: landing.jobId,
    purpose: { type: 'check', landingId: landing.id, index },
    agent: { name: command, provider: 'check' },
    role: 'check',
  })
  return {
    session,
    insert: async (records) => {
      await records.sessions.insert(session, {
        audit: { actor: 'engine', action: 'check-create', subject: session.id, detail: { index } },
        follow: [{ type: 'check-start', sessionId: session.id }],
      })
    },
  }
}
