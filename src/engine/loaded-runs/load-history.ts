import type { VisitId } from '../../domain/id.ts'
import type { Run } from '../../domain/run/run.ts'
import { historyOf, type PlacedVisit, type RunTree } from '../../domain/run/run-history.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from './load-run.ts'

type Reader = Pick<Records, 'runs' | 'visits' | 'pinnedPlaybooks'>

/**
 * Everything that happened in the runs that a run belongs to, from the outermost one on, and before that in the run that
 * it continues, even what it does anew: what a person has decided about some work stays decided.
 */
export async function loadHistory(records: Reader, loaded: LoadedRun): Promise<readonly PlacedVisit[]> {
  const outermost = await outermostOf(records, loaded)
  const { origin } = outermost.run
  const continued = origin === undefined ? undefined : await loadRun(records, origin.runId)
  const earlier = continued === undefined ? [] : await loadHistory(records, continued)
  // What it took has happened in the other run, and only once.
  const visits = outermost.visits.filter(({ taken }) => earlier.length === 0 || taken === undefined)
  const own = historyOf(await treeOf(records, { ...outermost, visits }))
  const last = earlier.at(-1)?.order ?? 0
  return [...earlier, ...own.map((placed) => ({ ...placed, order: placed.order + last }))]
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
