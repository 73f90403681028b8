import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import { planCheckedCommit } from './checked-commit.ts'
import type { SessionPlan } from './session-plan.ts'

/** A session that runs one check on the commit that jobs start from, as candidates are checked. */
export function planBaseline(session: Session, purpose: PurposeOf<'baseline'>): SessionPlan {
  const { baselineId: id } = purpose
  return planCheckedCommit(session, purpose, {
    id,
    noun: 'baseline',
    async findAwaited({ store }) {
      const baseline = await store.read.baselines.find(id)
      return baseline?.state.type === 'checking' ? baseline.state.sessionId : undefined
    },
    async findCommit({ store }) {
      const baseline = await store.read.baselines.find(id)
      return baseline === undefined ? undefined : { ...baseline, place: {} }
    },
    judge: [{ type: 'baseline-advance', baselineId: id }],
  })
}
