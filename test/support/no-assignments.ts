import type { Assignments } from '../../src/engine/assignment.ts'

/** For tests whose attempts, if they have any, belong to nothing. */
export const NO_ASSIGNMENTS: Assignments = { find: () => Promise.resolve(undefined) }
