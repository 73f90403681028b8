import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import { earlyEnding, type RunEnding } from '../../domain/run/run-ending.ts'
import type { ReachedRunLimit } from '../../domain/run/run-limit.ts'
import type { TroubleRecord } from '../../domain/run/trouble-record.ts'
import { isVisitOpen } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadHistory } from '../loaded-runs/load-history.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'
import { closeVisits, stopVisits } from './close-visits.ts'
import { endRun } from './end-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleChildren } from './settle-children.ts'
import { shownTexts } from './shown-texts.ts'
import { storeTrouble } from './store-trouble.ts'

/**
 * Ends a run that may not go on, with the best work that it has. The runs within it end first, so that their work counts.
 * Its programs are stopped, and what they leave is pinned.
 */
export async function stopRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  limit: ReachedRunLimit,
): Promise<void> {
  const { run, visits } = loaded
  const { reason } = limit
  for (const { state } of visits) {
    const child = state.type === 'running-child' ? await loadRun(records, state.runId) : undefined
    if (child?.run.state.type === 'running') await stopRun(needs, records, job, child, limit)
  }
  await settleChildren(needs, records, loaded)
  await stopVisits(needs, records, job, visits, reason)
  if (limit.type === 'time') await noteTimeout(needs, records, run, reason)
  await closeVisits(needs, records, run, reason)
  const stopped = await loadRun(records, run.id)
  if (stopped !== undefined)
    await endRun(needs, records, job, stopped, await endingOf(records, job, stopped, reason))
}

async function endingOf(
  records: Records,
  { plan }: Job,
  loaded: LoadedRun,
  reason: string,
): Promise<RunEnding> {
  const { run, visits, pinned } = loaded
  const { playbook } = pinned
  const hasDocuments = shownTexts(run, visits, playbook.result.documents).length > 0
  const history = await loadHistory(records, loaded)
  return earlyEnding({ run, visits, playbook, plan, history }, reason, hasDocuments)
}

/** A run that is out of time has an open visit: otherwise it would have ended. */
async function noteTimeout(
  { clock }: Pick<RunNeeds, 'clock'>,
  records: Records,
  run: Run,
  reason: string,
): Promise<void> {
  const visit = (await records.visits.listOfRun(run.id)).find(isVisitOpen)
  if (visit === undefined) return
  const record: TroubleRecord = {
    code: 'WORKFLOW_TIMEOUT',
    at: clock.now().toISOString(),
    reason,
    action: 'abort',
    ...(visit.attemptId === undefined ? {} : { attemptId: visit.attemptId }),
  }
  await storeTrouble(records, { run, visit }, record)
}
