import { stageEnded } from '../../domain/event/run-events.ts'
import type { Outcome } from '../../domain/playbook/outcome.ts'
import { nextVisitState, type VisitEvent } from '../../domain/run/next-visit-state.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** Stores a change of a visit, with its result. Undefined if the visit can't change in this way any more. */
export async function storeVisit(
  records: Records,
  visit: Visit,
  event: VisitEvent,
  follow: readonly Work[] = [],
): Promise<Visit | undefined> {
  const state = nextVisitState(visit.state, event)
  if (!state.ok) return undefined
  return await records.visits.save(
    { ...visit, state: state.value },
    {
      audit: { actor: 'engine', action: event.type, subject: visit.id, detail: { stage: visit.stage } },
      follow,
    },
  )
}

export type VisitResult = Pick<Visit, 'attemptId' | 'commit' | 'work' | 'answer' | 'problem'> & {
  readonly outcome: Outcome
}

/** Ends a visit. Whoever calls it advances the run in the same transaction. */
export async function settleVisit(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  run: Run,
  visit: Visit,
  { outcome, ...result }: VisitResult,
): Promise<Visit | undefined> {
  const state = nextVisitState(visit.state, { type: 'visit-settle', outcome })
  const task = await records.tasks.find(run.taskId)
  if (!state.ok || task === undefined) return undefined
  return await records.visits.save(
    { ...visit, ...result, state: state.value, endedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'visit-settle', subject: visit.id, detail: { outcome } },
      events: [stageEnded(run, task, visit, { outcome, ...result })],
    },
  )
}
