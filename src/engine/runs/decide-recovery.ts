import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { VisitTrouble } from '../../domain/playbook/playbook.ts'
import { asksPerson } from '../../domain/run/asks-person.ts'
import { type RecoveryDecision, recoveryFor } from '../../domain/run/recovery-for.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { chooseMember } from './choose-member.ts'
import type { AskedVisit } from './find-asked.ts'

type Troubled = {
  readonly attempt: Pick<Attempt, 'agent'>
  readonly trouble: VisitTrouble
  readonly canNudge: boolean
  /** The time until the agent has quota again, if it is known. */
  readonly quotaMs?: number
}

/** What the playbook says about a visit in trouble. */
export async function decideRecovery(
  { settings }: Pick<EngineNeeds, 'settings'>,
  records: Records,
  asked: AskedVisit,
  { attempt: { agent }, trouble, ...circumstances }: Troubled,
): Promise<RecoveryDecision> {
  const { job, run, visit, pinned, stage } = asked
  const replaced = [...visit.replaced, agent.name]
  const substitute = await chooseMember(records, asked, { branch: visit.branch, replaced }, stage)
  return recoveryFor(trouble, pinned.playbook.recover, {
    used: { onVisit: visit.recoveries, inRun: run.recoveries },
    substitute: substitute?.agent,
    canRestart: visit.state.type !== 'working' || visit.state.isUnready !== true,
    canAsk: asksPerson(job.plan, run),
    random: settings.random(),
    ...circumstances,
  })
}
