import type { Playbook } from '../playbook/playbook.ts'
import type { RunWork } from './run-work.ts'
import { outcomeOf, type Visit } from './visit.ts'
import { summaryOf } from './visit-answer.ts'

/**
 * What the work of a run does, in the words of those who made it: first what was made, then what was changed about it.
 * The last of them alone would say that a reviewer's wish was met, but not what the work is. Undefined if nobody said
 * anything.
 */
export function summarizeWork(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  { by }: Pick<RunWork, 'by'>,
): string | undefined {
  const made = visits.filter(
    (visit) =>
      visit.work !== undefined &&
      outcomeOf(visit) !== 'failed' &&
      visit.ordinal <= by.ordinal &&
      (visit.branch === 0 || visit.id === by.id),
  )
  const start = made.findLastIndex(({ stage }) => isStart(stages[stage]))
  const summaries = made.slice(Math.max(0, start)).flatMap(({ answer }) => summaryOf(answer).trim() || [])
  const [first, ...others] = [...new Set(summaries)]
  if (first === undefined || others.length === 0) return first
  return `${first.replace(/[.;\s]+$/, '')}; then: ${others.map(firstLine).join('; ')}`
}

/** Whether a stage leaves out all that was made before it. */
function isStart(stage: Playbook['stages'][string] | undefined): boolean {
  return stage?.type === 'role' && stage.from.type === 'head'
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').replace(/[.;\s]+$/, '')
}
