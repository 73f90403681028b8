import type { CycleId, JobId, TaskId } from '../../domain/id.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from './change.ts'

export interface TaskRecords {
  insertAll(tasks: readonly Task[], change: Change): Promise<void>
  save(task: Task, change: Change): Promise<Task>
  find(id: TaskId): Promise<Task | undefined>
  /** Those that exist, in no particular order. */
  findMany(ids: readonly TaskId[]): Promise<readonly Task[]>
  /** In the order in which they were discovered. */
  listOfCycle(cycleId: CycleId): Promise<readonly Task[]>
  listOfJob(jobId: JobId): Promise<readonly Task[]>
  /** Pending tasks of all jobs that a limit keeps from starting, or that must be done again. */
  listWaiting(): Promise<readonly Task[]>
  /** Newest first. */
  listRecent(limit: number): Promise<readonly Task[]>
}
