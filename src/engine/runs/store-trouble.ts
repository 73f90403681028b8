import { stageRecovered } from '../../domain/event/run-events.ts'
import { type RecoveryDecision, withRecovery } from '../../domain/run/recovery-for.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import type { Records } from '../../ports/store/store.ts'
import type { AskedVisit } from './find-asked.ts'

type Troubled = Pick<AskedVisit, 'run' | 'visit'>

/** Stores a trouble with its visit, and counts what was decided about it, if anything had to be. */
export async function storeTrouble(
  records: Records,
  { run, visit }: Troubled,
  record: TroubleRecord,
  decision?: Pick<RecoveryDecision, 'type'>,
): Promise<Troubled> {
  const { code, action } = record
  const change = (subject: string) =>
    ({ actor: 'engine', action: 'visit-trouble', subject, detail: { code, action } }) as const
  const used = { onVisit: visit.recoveries, inRun: run.recoveries }
  const { onVisit, inRun } = decision === undefined ? used : withRecovery(used, decision)
  const counted =
    inRun === run.recoveries
      ? run
      : await records.runs.save({ ...run, recoveries: inRun }, { audit: change(run.id) })
  const task = decision === undefined ? undefined : await records.tasks.find(run.taskId)
  const isDone = task !== undefined && decision?.type !== 'give-up'
  const noted = await records.visits.save(
    { ...visit, recoveries: onVisit, troubles: [...visit.troubles, record] },
    {
      audit: change(visit.id),
      events: isDone ? [stageRecovered(run, task, visit, record)] : [],
    },
  )
  return { run: counted, visit: noted }
}
