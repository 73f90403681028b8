import type { RunHistory } from '../../domain/forecast/run-history.ts'
import type { JobId, RunId, TaskId, VisitId } from '../../domain/id.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Change } from './change.ts'

/** Contract: the schema allows one run of its own per task that has not ended; child runs come in addition. */
export interface RunRecords {
  insert(run: Run, change: Change): Promise<Run>
  save(run: Run, change: Change): Promise<Run>
  find(id: RunId): Promise<Run | undefined>
  /** Oldest first, as in the others. */
  listOfTask(taskId: TaskId): Promise<readonly Run[]>
  /** The child runs that a visit started: one, unless it was lost. */
  listOfParent(parentId: VisitId): Promise<readonly Run[]>
  listOfJob(jobId: JobId): Promise<readonly Run[]>
  /** Of all jobs, newest first, without child runs. */
  listRecent(limit: number): Promise<readonly Run[]>
  /** The other jobs that continue from a run of this job, which must stay while they exist. */
  listForks(jobId: JobId): Promise<readonly JobId[]>
  /** What the newest runs did, `limit` of them, as far as their visits have ended. */
  history(limit: number): Promise<RunHistory>
  /** Those that have not ended. */
  listOpen(jobId?: JobId): Promise<readonly Run[]>
}
