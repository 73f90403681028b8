import { attemptRulesOf, taskIdOf } from '../attempt/attempt-purpose.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import type { Task } from '../task/task.ts'
import { taskName } from '../task/task-name.ts'
import { coveredBy } from './covered-by.ts'
import type { ReportInput } from './report-input.ts'
import { supersededBy } from './superseded-by.ts'

/** The tasks that later work covers although their own work is on no branch: nothing else in a report reports it. */
export function unlandedNotes(snapshot: ReportInput): readonly string[] {
  return snapshot.tasks
    .filter((task) => supersededBy(snapshot.tasks, task) === undefined)
    .filter((task) => coveredBy(snapshot, task) !== undefined && hasWork(snapshot, task))
    .slice(0, REPORT_LIMITS.listed)
    .map(
      (task) =>
        `the work of ${taskName(task)} did not land; Muster keeps it, and \`muster recover ${task.id}\` restores it`,
    )
}

function hasWork({ job, attempts }: ReportInput, { id }: Task): boolean {
  return attempts.some((attempt) => {
    const { tip, baseCommit } = attempt
    const isOwn = attemptRulesOf(attempt).makesWork && taskIdOf(attempt) === id
    return isOwn && tip !== undefined && tip !== (baseCommit ?? job.baseCommit)
  })
}
