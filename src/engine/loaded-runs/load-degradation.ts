import type { Playbook } from '../../domain/playbook/playbook.ts'
import { type Degradation, degradationOf, followedIn } from '../../domain/run/degradation.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Visit } from '../../domain/run/visit.ts'
import { type VisitWorkers, workersOf } from '../../domain/run/visit-workers.ts'
import type { Records } from '../../ports/store/store.ts'
import { childOf } from './load-history.ts'
import { loadRun } from './load-run.ts'
import { takenAttempts } from './taken-attempts.ts'

type Reader = Pick<Records, 'jobs' | 'runs' | 'visits' | 'attempts' | 'pinnedPlaybooks'>

type Ended = { readonly run: Run; readonly visits: readonly Visit[]; readonly playbook: Playbook }

/** What a run that has ended, or asks about its end, did without, together with the runs within it whose results it uses. */
export async function loadDegradation(
  records: Reader,
  { run, visits, playbook }: Ended,
): Promise<Degradation | undefined> {
  if (run.state.type !== 'ended' && run.state.type !== 'asking') return undefined
  const within: Record<string, Degradation> = {}
  for (const { stage, visit } of followedIn(playbook, visits)) {
    const child = await childOf(records, visit)
    const loaded = child === undefined ? undefined : await loadRun(records, child.id)
    const inner =
      loaded === undefined
        ? undefined
        : await loadDegradation(records, { ...loaded, playbook: loaded.pinned.playbook })
    if (inner !== undefined) within[stage] = inner
  }
  const workers = await loadWorkers(records, run, visits)
  return degradationOf({ playbook, cast: run.cast, visits, workers, end: run.state.end, within })
}

async function loadWorkers(
  records: Reader,
  { jobId, taskId }: Run,
  visits: readonly Visit[],
): Promise<VisitWorkers> {
  const attempts = [...(await records.attempts.listOfTask(taskId)), ...(await takenAttempts(records, visits))]
  const job = await records.jobs.find(jobId)
  return workersOf(visits, attempts, job?.plan.agents ?? [])
}
