import type { JobId } from '../../domain/id.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import type { Result } from '../../domain/result.ts'
import type { JobNotFound } from '../queries/find-record.ts'
import { type Cleaned, type CleanOptions, cleanJobs } from './clean-jobs.ts'
import { collectGarbage, type Garbage, type GarbageNeeds } from './collect-garbage.ts'
import { type DeleteFailure, deleteJob, previewDeletion } from './delete-job.ts'
import type { DeletionOptions, DeletionPlan } from './inspect-deletion.ts'
import { listPinnedWork, type PinnedInput, type SizedWork, withSize } from './list-pinned-work.ts'
import { type RestoredWork, type RestoreFailure, type RestoreOptions, restoreWork } from './restore-work.ts'

/** A deletion with the sizes of what would be lost. */
export type SizedDeletion = Omit<DeletionPlan, 'unlanded'> & { readonly unlanded: readonly SizedWork[] }

/** What a person can do with old jobs and with work that did not land. */
export interface CleanupCommands {
  pinned(input: PinnedInput): Promise<Result<readonly SizedWork[], JobNotFound | GitFailure>>
  restore(id: string, options?: RestoreOptions): Promise<Result<RestoredWork, RestoreFailure>>
  /** What deleting the job would remove. */
  preview(jobId: JobId, options: DeletionOptions): Promise<Result<SizedDeletion, DeleteFailure>>
  delete(jobId: JobId, options: DeletionOptions): Promise<Result<SizedDeletion, DeleteFailure>>
  clean(options: CleanOptions): Promise<Cleaned>
  collect(isDryRun: boolean): Promise<readonly Garbage[]>
}

export function createCleanupCommands(needs: GarbageNeeds): CleanupCommands {
  const sized = async (
    planned: Result<DeletionPlan, DeleteFailure>,
  ): Promise<Result<SizedDeletion, DeleteFailure>> => {
    if (!planned.ok) return planned
    const unlanded = await Promise.all(planned.value.unlanded.map((work) => withSize(needs, work)))
    return { ok: true, value: { ...planned.value, unlanded } }
  }
  return {
    pinned: (input) => listPinnedWork(needs, input),
    restore: (id, options) => restoreWork(needs, id, options),
    preview: async (jobId, options) => sized(await previewDeletion(needs, jobId, options)),
    delete: async (jobId, options) => sized(await deleteJob(needs, jobId, options)),
    clean: (options) => cleanJobs(needs, options),
    collect: (isDryRun) => collectGarbage(needs, isDryRun),
  }
}
