import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptId, CycleId, JobId, TaskId, VisitId } from '../../domain/id.ts'
import type { Change } from './change.ts'

/** Contract: the schema allows one unsettled attempt per task, per visit, and per cycle's discovery. */
export interface AttemptRecords {
  insert(attempt: Attempt, change: Change): Promise<Attempt>
  save(attempt: Attempt, change: Change): Promise<Attempt>
  find(id: AttemptId): Promise<Attempt | undefined>
  /** Those that exist, in no particular order. */
  findMany(ids: readonly AttemptId[]): Promise<readonly Attempt[]>
  /** Attempts at the task and reviews of it, oldest first. */
  listOfTask(taskId: TaskId): Promise<readonly Attempt[]>
  /** The same for several tasks. */
  listOfTasks(taskIds: readonly TaskId[]): Promise<readonly Attempt[]>
  /** Attempts at a visit, oldest first. */
  listOfVisit(visitId: VisitId): Promise<readonly Attempt[]>
  /** Attempts at the discovery of a cycle, oldest first. */
  listOfDiscovery(cycleId: CycleId): Promise<readonly Attempt[]>
  /** Attempts of any purpose, oldest first. */
  listOfJob(jobId: JobId): Promise<readonly Attempt[]>
  /** Those that have ended and are not settled. */
  listEnded(): Promise<readonly Attempt[]>
  listUnsettled(jobId?: JobId): Promise<readonly Attempt[]>
}
