import type { AttemptPurpose } from '../../domain/attempt/attempt-purpose.ts'
import type { Assignment, Assignments } from '../assignment.ts'
import { createPlanner } from './planner.ts'
import { findVisitAssignment } from './visit.ts'
import { createWorker } from './worker.ts'

type Needs = Parameters<typeof createPlanner>[0] &
  Parameters<typeof createWorker>[0] &
  Parameters<typeof findVisitAssignment>[0]

/** The assignments of a job's own attempts. A new purpose is one more entry. */
export function createAssignments(needs: Needs): Assignments {
  const table: { readonly [Type in Exclude<AttemptPurpose['type'], 'visit' | 'review'>]: Assignment } = {
    discovery: createPlanner(needs),
    task: createWorker(needs),
  }
  return {
    find: (attempt) => {
      const { type } = attempt.purpose
      if (type === 'visit') return findVisitAssignment(needs, attempt)
      return Promise.resolve(type === 'review' ? undefined : table[type])
    },
  }
}
