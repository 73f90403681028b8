import type { ReportBlocker } from './report.ts'
import type { ReportInput } from './report-input.ts'
import { cutLine, cutText, REPORT_LIMITS } from './report-limits.ts'
import { supersededBy } from './superseded-by.ts'

/** Everything that stands in the way, with what a person may do about it. */
export function listBlockers(sight: ReportInput): readonly ReportBlocker[] {
  return [
    ...taskBlockers(sight),
    ...sight.plannerBlockers.map((text) => ({ type: 'planner' as const, text: cutText(text) })),
    ...sight.approvals.map(({ id, action }) => ({
      type: 'approval' as const,
      id,
      text: cutLine(action.reason ?? action.tool),
    })),
    ...sight.questions.map(({ id, subject, body }) => ({
      type: 'question' as const,
      id,
      text: cutLine(subject === '' ? body : subject),
    })),
  ].slice(0, REPORT_LIMITS.listed)
}

function taskBlockers({ tasks }: ReportInput): readonly ReportBlocker[] {
  return tasks.flatMap((task): ReportBlocker[] => {
    const { state } = task
    if (state.type !== 'blocked' && state.type !== 'failed') return []
    if (supersededBy(tasks, task) !== undefined) return []
    const { suggestion } = state
    return [
      {
        type: 'task',
        id: task.id,
        text: cutLine(state.reason),
        ...(suggestion === undefined ? {} : { suggestion: cutLine(suggestion) }),
      },
    ]
  })
}
