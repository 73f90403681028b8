import type { ReportTask } from './report.ts'

/** How many tasks of a report failed or are blocked, without another task that merged their work. */
export function unlandedCount(
  tasks: readonly (Pick<ReportTask, 'status'> & { readonly supersededBy?: string | undefined })[],
): number {
  return tasks.filter(
    ({ status, supersededBy }) => (status === 'failed' || status === 'blocked') && supersededBy === undefined,
  ).length
}
