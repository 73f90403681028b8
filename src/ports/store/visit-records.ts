import type { RunId, VisitId } from '../../domain/id.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Change } from './change.ts'

/** Contract: the schema allows one visit per run, entry and branch, so that nothing is entered twice. */
export interface VisitRecords {
  insertAll(visits: readonly Visit[], change: Change): Promise<void>
  save(visit: Visit, change: Change): Promise<Visit>
  find(id: VisitId): Promise<Visit | undefined>
  /** In the order in which the run entered them. */
  listOfRun(runId: RunId): Promise<readonly Visit[]>
}
