import type { JobState } from '../job/job-state.ts'
import type { ReportClause } from './report.ts'

const WORDS = {
  served: 'done',
  open: 'not finished',
  shown: 'evidence from the planner',
  untouched: 'no task yet',
} as const satisfies Record<ReportClause['status'], string>

/** The state of a clause in words. A job that has ended gets no more tasks. */
export function clauseWords(status: ReportClause['status'], job: JobState['type']): string {
  const hasEnded = job === 'completed' || job === 'cancelled' || job === 'error'
  return status === 'untouched' && hasEnded ? 'no task' : WORDS[status]
}
