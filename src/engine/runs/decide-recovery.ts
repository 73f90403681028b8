import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { VisitTrouble } from '../../domain/playbook/playbook.ts'
import { asksPerson } from '../../domain/run/asks-person.ts'
import { memberFor } from '../../domain/run/member-for.ts'
import { type RecoveryDecision, recoveryFor } from '../../domain/run/recovery-for.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { AskedVisit } from './find-asked.ts'

/** What is known about a trouble besides its kind. */
type Circumstances = {
  readonly canNudge: boolean
  /** The time until the agent has quota again, if it is known. */
  readonly quotaMs?: number
}

/** What the playbook says about a visit in trouble. */
export function decideRecovery(
  { settings }: Pick<EngineNeeds, 'settings'>,
  { job, run, visit, pinned, stage, role }: AskedVisit,
  { agent }: Pick<Attempt, 'agent'>,
  trouble: VisitTrouble,
  circumstances: Circumstances,
): RecoveryDecision {
  const replaced = [...visit.replaced, agent.name]
  const place = { branch: visit.branch, isSpread: role.isSpread, replaced }
  return recoveryFor(trouble, pinned.playbook.recover, {
    used: { onVisit: visit.recoveries, inRun: run.recoveries },
    hasSubstitute: memberFor(run.cast, stage.role, place) !== undefined,
    canRestart: visit.state.type !== 'working' || visit.state.isUnready !== true,
    canAsk: asksPerson(job.plan, run),
    random: settings.random(),
    ...circumstances,
  })
}
