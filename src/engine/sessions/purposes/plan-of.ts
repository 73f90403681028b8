import type { Session } from '../../../domain/session/session.ts'
import { planAttempt } from './attempt.ts'
import { planBaseline } from './baseline.ts'
import { planCheck } from './check.ts'
import { planPersonal } from './personal.ts'
import { planQuery } from './query.ts'
import type { SessionPlan } from './session-plan.ts'
import { planVisitCheck } from './visit-check.ts'

/** Resolves what a session is for, in one place. A new purpose is one more file. */
export function planOf(session: Session): SessionPlan {
  const { purpose } = session
  switch (purpose.type) {
    case 'attempt':
      return planAttempt(session, purpose)
    case 'check':
      return planCheck(session, purpose)
    case 'baseline':
      return planBaseline(session, purpose)
    case 'visit-check':
      return planVisitCheck(session, purpose)
    case 'personal':
      return planPersonal(session, purpose)
    case 'query':
      return planQuery(session, purpose, planOf)
  }
}
