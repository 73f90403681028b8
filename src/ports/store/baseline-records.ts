import type { Baseline } from '../../domain/baseline/baseline.ts'
import type { BaselineId } from '../../domain/id.ts'
import type { Change } from './change.ts'

/**
 * Contract: the schema allows one baseline per project and digest that is running or has passed. A failure may be the
 * machine's fault, so the next job tries again.
 */
export interface BaselineRecords {
  /**
   * Returns the running or passed baseline with the same project and digest, and otherwise stores this one with its
   * change. Waits for another transaction that is just storing one.
   */
  ensure(baseline: Baseline, change: Change): Promise<Baseline>
  save(baseline: Baseline, change: Change): Promise<Baseline>
  find(id: BaselineId): Promise<Baseline | undefined>
  findMany(ids: readonly BaselineId[]): Promise<readonly Baseline[]>
  /** Those that have no verdict yet, oldest first. */
  listOpen(): Promise<readonly Baseline[]>
  /** Those that ended before this time and that no job refers to, with the size of their output. */
  listUnused(before: Date): Promise<readonly { readonly id: BaselineId; readonly bytes: number }[]>
  /** Deletes a baseline with its sessions and their events, unless a job refers to it. Returns whether it is gone. */
  remove(id: BaselineId, change: Change): Promise<boolean>
}
