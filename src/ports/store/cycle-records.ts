import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { CycleId, JobId } from '../../domain/id.ts'
import type { Change } from './change.ts'

export interface CycleRecords {
  insert(cycle: Cycle, change: Change): Promise<Cycle>
  save(cycle: Cycle, change: Change): Promise<Cycle>
  find(id: CycleId): Promise<Cycle | undefined>
  findNumber(jobId: JobId, number: number): Promise<Cycle | undefined>
  /** Oldest first. */
  listOf(jobId: JobId): Promise<readonly Cycle[]>
}
