import type { ReportTask } from './report.ts'

type Successors = {
  readonly supersededBy?: string | undefined
  readonly coveredBy?: string | undefined
}

/** How many tasks of a report failed or are blocked, without another task that replaced them. */
export function unlandedCount(tasks: readonly (Pick<ReportTask, 'status'> & Successors)[]): number {
  return tasks.filter(
    ({ status, supersededBy, coveredBy }) =>
      (status === 'failed' || status === 'blocked') && supersededBy === undefined && coveredBy === undefined,
  ).length
}
