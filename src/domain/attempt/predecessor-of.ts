import type { Attempt } from './attempt.ts'

/**
 * The attempt before this one, whose session can be asked about it. The attempts of the task, which `ofTask` lists from
 * the oldest, include reviews and visits, and these are numbered apart. A visit of a run continues an earlier attempt at
 * the same visit, or else the newest earlier visit of the same role.
 */
export function predecessorOf(attempt: Attempt, ofTask: readonly Attempt[]): Attempt | undefined {
  const { purpose, role, number } = attempt
  if (purpose.type !== 'visit') {
    return ofTask.findLast((other) => other.purpose.type === purpose.type && other.number < number)
  }
  const ofRun = ofTask.filter(
    (other) => other.purpose.type === 'visit' && other.purpose.runId === purpose.runId,
  )
  const isSameVisit = (other: Attempt) =>
    other.purpose.type === 'visit' && other.purpose.visitId === purpose.visitId
  const first = ofRun.findIndex(isSameVisit)
  return (
    ofRun.findLast((other) => isSameVisit(other) && other.number < number) ??
    ofRun.slice(0, Math.max(first, 0)).findLast((other) => other.role === role)
  )
}
