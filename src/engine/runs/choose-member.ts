import type { RoleStage } from '../../domain/playbook/stage.ts'
import type { CastMember } from '../../domain/run/cast.ts'
import { memberFor } from '../../domain/run/member-for.ts'
import type { Visit } from '../../domain/run/visit.ts'
import { acceptedIn, isJudgement, makersFor } from '../../domain/run/visit-workers.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadHistory } from '../loaded-runs/load-history.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'

type Reader = Pick<Records, 'attempts' | 'runs' | 'visits' | 'pinnedPlaybooks'>

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

/**
 * A run can judge what another one made: a run that it waited for or that waits for it, or one that any of these continue.
 * What other tasks made is known by the visits that were taken from their runs.
 */
async function findMakers(records: Reader, loaded: LoadedRun, stage: RoleStage): Promise<readonly string[]> {
  const { run, visits, pinned } = loaded
  const { playbook } = pinned
  const { own } = await loadHistory(records, loaded)
  const ids = own.flatMap(({ visit }) => acceptedIn(visit) ?? [])
  const attempts = [
    ...(await records.attempts.listOfTask(run.taskId)),
    ...(ids.length === 0 ? [] : await records.attempts.findMany(ids)),
  ]
  return makersFor(stage, { playbook, visits, attempts })
}
