import type { RunId, VisitId } from '../../domain/id.ts'
import type { Run } from '../../domain/run/run.ts'
import { historyOf, type RunHistory, type RunTree } from '../../domain/run/run-history.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from './load-run.ts'

type Reader = Pick<Records, 'runs' | 'visits' | 'pinnedPlaybooks'>

/**
 * What happened in the runs that a run belongs to, from the outermost one on, and in the runs before it: what a person has
 * decided about some work stays decided, even if the part of the run in which they decided it is done anew.
 */
export async function loadHistory(records: Reader, loaded: LoadedRun): Promise<RunHistory> {
  const outermost = await outermostOf(records, loaded)
  const own = historyOf(await treeOf(records, outermost))
  const earlierId = outermost.run.origin?.runId ?? (await previousOf(records, outermost.run))
  const earlier = earlierId === undefined ? undefined : await loadRun(records, earlierId)
  return earlier === undefined ? { own } : { own, earlier: await loadHistory(records, earlier) }
}

/** The run that worked on the same task before, if the task is tried again. */
async function previousOf({ runs }: Reader, run: Run): Promise<RunId | undefined> {
  const all = (await runs.listOfTask(run.taskId)).filter(({ parentId }) => parentId === undefined)
  return all[all.findIndex(({ id }) => id === run.id) - 1]?.id
}

async function outermostOf(records: Reader, loaded: LoadedRun): Promise<LoadedRun> {
  const { parentId } = loaded.run
  const waiting = parentId === undefined ? undefined : await records.visits.find(parentId)
  const parent = waiting === undefined ? undefined : await loadRun(records, waiting.runId)
  return parent === undefined ? loaded : await outermostOf(records, parent)
}

async function treeOf(records: Reader, { visits, pinned }: LoadedRun): Promise<RunTree> {
  const { stages } = pinned.playbook
  const within = new Map<VisitId, RunTree>()
  for (const visit of visits) {
    if (stages[visit.stage]?.type !== 'playbook') continue
    const child = await childOf(records, visit)
    const loaded = child === undefined ? undefined : await loadRun(records, child.id)
    if (loaded !== undefined) within.set(visit.id, await treeOf(records, loaded))
  }
  return { stages, visits, within }
}

/** The run that a visit waited for. A visit that was taken from another run has that of its original. */
export async function childOf(
  records: Pick<Records, 'runs' | 'visits'>,
  visit: Visit,
): Promise<Run | undefined> {
  if (visit.taken === undefined) return (await records.runs.listOfParent(visit.id)).at(-1)
  const original = await records.visits.find(visit.taken.visitId)
  return original === undefined ? undefined : await childOf(records, original)
}
