import type { RoleStage } from '../../domain/playbook/stage.ts'
import type { CastMember } from '../../domain/run/cast.ts'
import { memberFor } from '../../domain/run/member-for.ts'
import type { Visit } from '../../domain/run/visit.ts'
import { isJudgement, makersFor } from '../../domain/run/visit-workers.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { takenAttempts } from '../loaded-runs/taken-attempts.ts'

type Reader = Pick<Records, 'attempts'>

/** Who takes a visit next; undefined if nobody is left who may. */
export async function chooseMember(
  records: Reader,
  loaded: LoadedRun,
  { branch, replaced }: Pick<Visit, 'branch' | 'replaced'>,
  stage: RoleStage,
): Promise<CastMember | undefined> {
  const { run, pinned } = loaded
  const { isSpread = false, unlike } = pinned.playbook.roles[stage.role] ?? {}
  const makers = isJudgement(stage) ? await findMakers(records, loaded, stage) : []
  return memberFor(run.cast, stage.role, { branch, replaced, isSpread, unlike, makers })
}

/** The attempts of all runs of the task count: a run can judge what another one made. */
async function findMakers(
  records: Reader,
  { run, visits, pinned: { playbook } }: LoadedRun,
  stage: RoleStage,
): Promise<readonly string[]> {
  const attempts = [
    ...(await records.attempts.listOfTask(run.taskId)),
    ...(await takenAttempts(records, visits)),
  ]
  return makersFor(stage, { playbook, visits, attempts })
}
