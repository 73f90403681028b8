import { readWorkReport } from '../attempt/read-work-report.ts'
import type { Verdict } from '../review/verdict.ts'
import { mergedCriteria } from '../task/criterion-result.ts'
import type { Task } from '../task/task.ts'
import { describeChanges } from '../task/work-changes.ts'
import type { Visit } from './visit.ts'

export type AcceptedVisit = Pick<Visit, 'branch'> & {
  readonly work: Visit['work'] | undefined
  /** What its agent answered, before anything was left out. */
  readonly answer: unknown
  readonly verdict: Verdict | undefined
  /** Whether its agent was shown the criteria of the task, and not others that the run has of its own. */
  readonly isJudgedByTask: boolean
}

/**
 * A task after an accepted visit of its run: with the work that it made and what its agent claims about it, or with what
 * a reviewer found. The work of branches that compete isn't that of the task until the run ends.
 */
export function taskAfterVisit(task: Task, visit: AcceptedVisit): Task {
  if (visit.verdict !== undefined) return withFindings(task, visit.verdict, visit)
  const { work, branch, answer } = visit
  if (work === undefined || branch > 0) return task
  const { files, commits, changes, omissions } = work
  const count = visit.isJudgedByTask ? task.successCriteria.length : 0
  const report = readWorkReport(answer, count)
  return {
    ...task,
    resultSummary: report.summary ?? describeChanges(changes),
    changes: omissions.length === 0 ? changes : { ...changes, omissions },
    criteria: report.criteria,
    filesModified: files,
    commitsMade: commits,
  }
}

function withFindings(task: Task, { criteria }: Verdict, { isJudgedByTask }: AcceptedVisit): Task {
  return isJudgedByTask ? { ...task, criteria: mergedCriteria(task.criteria, criteria) } : task
}
