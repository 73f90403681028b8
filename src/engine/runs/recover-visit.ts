import type { Attempt } from '../../domain/attempt/attempt.ts'
import { stageRecovered } from '../../domain/event/run-events.ts'
import type { VisitTrouble } from '../../domain/playbook/playbook.ts'
import { memberFor } from '../../domain/run/member-for.ts'
import { nextVisitState } from '../../domain/run/next-visit-state.ts'
import { type RecoveryDecision, recoveryFor, withRecovery } from '../../domain/run/recovery-for.ts'
import type { Records } from '../../ports/store/store.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit } from './store-visit.ts'
import type { AskedVisit } from './visit-prompt-input.ts'

export type Trouble = { readonly trouble: VisitTrouble; readonly reason: string }

/** Does what the playbook says about a visit whose attempt failed. Whoever calls it advances the run. */
export async function recoverVisit(
  needs: RunNeeds,
  records: Records,
  asked: AskedVisit,
  attempt: Attempt,
  { trouble, reason }: Trouble,
): Promise<void> {
  const { run, visit, pinned, stage, role } = asked
  const used = { onVisit: visit.recoveries, inRun: run.recoveries }
  const replaced = [...visit.replaced, attempt.agent.name]
  const place = { branch: visit.branch, isSpread: role.isSpread, replaced }
  const decision = recoveryFor(trouble, pinned.playbook.recover, {
    used,
    hasSubstitute: memberFor(run.cast, stage.role, place) !== undefined,
    random: Math.random(),
  })
  const next = withRecovery(used, decision)
  const until = waitOf(decision)
  const state = nextVisitState(visit.state, {
    type: 'visit-retry',
    ...(until === 0 ? {} : { until: new Date(needs.clock.now().getTime() + until).toISOString() }),
  })
  const task = await records.tasks.find(run.taskId)
  if (!isRetried(decision) || !state.ok || task === undefined) {
    await settleVisit(needs, records, run, visit, { outcome: 'failed', problem: reason })
    return
  }
  await records.runs.save(
    { ...run, recoveries: next.inRun },
    { audit: { actor: 'engine', action: 'run-recover', subject: run.id, detail: { action: decision.type } } },
  )
  await records.visits.save(
    {
      ...visit,
      state: state.value,
      recoveries: next.onVisit,
      replaced: decision.type === 'substitute' ? replaced : visit.replaced,
      problem: reason,
    },
    {
      audit: { actor: 'engine', action: 'visit-retry', subject: visit.id, detail: { action: decision.type } },
      events: [stageRecovered(run, task, visit, decision.type, reason)],
    },
  )
}

function isRetried({ type }: RecoveryDecision): boolean {
  return type !== 'give-up' && type !== 'abort' && type !== 'escalate'
}

function waitOf(decision: RecoveryDecision): number {
  return 'afterMs' in decision ? decision.afterMs : 0
}
