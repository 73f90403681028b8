import type { Run } from '../../domain/run/run.ts'
import { isVisitOpen, type Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'

/** Whether only a person's decision brings a run forward: at a gate, at its end, or in the run that it waits for. */
export async function waitsForPerson(records: Records, run: Run): Promise<boolean> {
  if (run.state.type !== 'running') return run.state.type === 'asking'
  return await visitsWaitForPerson(records, await records.visits.listOfRun(run.id))
}

/** Whether all visits of a run that haven't ended wait for a person's decision. */
export async function visitsWaitForPerson(records: Records, visits: readonly Visit[]): Promise<boolean> {
  const open = visits.filter(isVisitOpen)
  for (const visit of open) {
    if (!(await visitWaits(records, visit))) return false
  }
  return open.length > 0
}

async function visitWaits(records: Records, { state }: Visit): Promise<boolean> {
  if (state.type !== 'running-child') return state.type === 'asking'
  const child = await records.runs.find(state.runId)
  return child !== undefined && (await waitsForPerson(records, child))
}
