import { RUN_LIMITS } from '../limits/run-limits.ts'
import { findGraphProblems } from './find-graph-problems.ts'
import { findInputProblems } from './find-input-problems.ts'
import { findLostWork } from './find-lost-work.ts'
import { findNameProblems } from './find-name-problems.ts'
import { findMissingReferences, findReferenceProblems } from './find-reference-problems.ts'
import { findRejectedLandings } from './find-rejected-landings.ts'
import { hasFormat } from './has-format.ts'
import type { Playbook } from './playbook.ts'
import type { PlaybookProblem } from './playbook-problem.ts'
import { visitBound } from './visit-bound.ts'

export type PlaybookReview = {
  /** With any of these, no run can start. */
  readonly errors: readonly PlaybookProblem[]
  readonly warnings: readonly PlaybookProblem[]
  /** The most visits that any run can make. */
  readonly visitBound: number
}

/** Finds what would stop a run or surprise its author, before anything runs. */
export function checkPlaybook(playbook: Playbook): PlaybookReview {
  const names = findNameProblems(playbook)
  const errors = [
    ...findInputProblems(playbook),
    ...names,
    ...findReferenceProblems(playbook),
    // What runs before what can only be judged if every route leads somewhere.
    ...(names.length > 0 ? [] : [...findGraphProblems(playbook), ...findMissingReferences(playbook)]),
  ]
  return { errors, warnings: findWarnings(playbook), visitBound: visitBound(playbook) }
}

function findWarnings(playbook: Playbook): readonly PlaybookProblem[] {
  const bound = visitBound(playbook)
  const stages = Object.values(playbook.stages)
  const changes = stages.some((stage) => stage.type === 'role' && hasFormat(stage.output, 'change'))
  const isChecked = stages.some(({ type }) => type === 'checks')
  return [
    ...findLostWork(playbook),
    ...findRejectedLandings(playbook),
    ...(changes && !isChecked
      ? [{ path: ['stages'], problem: 'work is made, but no stage runs the checks' }]
      : []),
    ...(bound > RUN_LIMITS.usualVisits
      ? [{ path: ['stages'], problem: `a run can make up to ${bound} visits, which may cost a lot` }]
      : []),
  ]
}
